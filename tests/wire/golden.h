// Files that the wire types are compared with. ASSAY_GOLDEN_UPDATE=1 rewrites them instead; the
// diff is for the reviewer.
#pragma once

#include <string>
#include <string_view>

namespace assay::wire {

std::string golden(const std::string& name);                           // tests/golden/wire/<name>
void expect_golden(const std::string& path, std::string_view actual);  // from the source directory

// An independent JSON reader, so that the encoder is not judged by our own.
bool is_json(std::string_view text);
std::string text_in_json(std::string_view json);  // the string that this JSON string means

}  // namespace assay::wire
