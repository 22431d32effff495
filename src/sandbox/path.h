// Paths as profiles and specs write them: compared by text alone, so only one spelling of each is
// accepted.
#pragma once

#include <string_view>

namespace assay::sandbox {

// Absolute; no "..", "." or empty component, no trailing slash, no NUL, at most kMaxName. "/"
// itself is plain.
bool is_plain_path(std::string_view path);

// Is `path` the same as `ancestor`, or below it? By components: "/w2" is not within "/w". Both must
// be plain.
bool is_within(std::string_view path, std::string_view ancestor);

// "/a/b" for "/a/b/c", "/" for "/a" and for "/".
std::string_view parent_of(std::string_view path);

}  // namespace assay::sandbox
