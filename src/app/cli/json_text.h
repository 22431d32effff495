// Text as a JSON string, for the `--json` form of the subcommands.
#pragma once

#include <string>
#include <string_view>

namespace assay::cli {

// With the quotes. Control characters are escaped; every byte that is no part of valid UTF-8
// becomes U+FFFD, because programs print anything and a JSON reader must not stumble over it.
std::string json_quoted(std::string_view text);

}  // namespace assay::cli
