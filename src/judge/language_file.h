// Reads languages/<id>.toml. Every complaint names file, line and column.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "judge/language.h"

namespace assay::judge {

// The language of the file, and then its variants. `file` is only for messages.
Result<std::vector<Language>> parse_language(const std::string& id, std::string file,
                                             std::string_view text);

// [a-z0-9][a-z0-9_-]*: it becomes a file name.
bool is_language_id(std::string_view id);

}  // namespace assay::judge
