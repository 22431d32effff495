// UTF-8 as Go reads it: a byte that begins no valid sequence is replaced alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay::wire {

// The length of the sequence that begins at `at`; 0 if none does (overlong, surrogate, too large
// or cut off).
std::size_t sequence_length(std::string_view text, std::size_t at);

bool is_utf8(std::string_view text);
void append_code_point(std::string& out, std::uint32_t point);

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

}  // namespace assay::wire
