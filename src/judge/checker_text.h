// Text from outside, made fit for a terminal, a log and a JSON string.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay::judge {

// Control characters, bytes that are no UTF-8 and characters that reorder or hide text become
// escapes (\n, \x1b, \u202e); all else stays. At most `most` characters are shown, an escape counts
// as one; `ending` says that there was more. The result is UTF-8, and bounded whatever came in.
std::string safe_text(std::string_view bytes, std::size_t most, std::string_view ending = "…");

// Without blanks and line ends on both sides.
std::string_view trimmed(std::string_view text);

}  // namespace assay::judge
