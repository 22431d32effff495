#include "exec/box_name.h"

#include <algorithm>
#include <cerrno>
#include <climits>

#include "base/result.h"

namespace assay::exec {

int why_no_file(const std::string& name) {
  if (name.empty()) return ENOENT;
  if (name.contains('\0')) return EINVAL;
  if (name.size() >= PATH_MAX) return ENAMETOOLONG;
  for (std::size_t begin = 0; begin < name.size();) {
    const std::size_t slash = std::min(name.find('/', begin), name.size());
    if (slash - begin > NAME_MAX) return ENAMETOOLONG;
    begin = slash + 1;
  }
  return name.ends_with('/') ? EISDIR : 0;
}

// A stranger's text is repeated only in part.
FileError no_such_name(const std::string& name, FileErrorType type, int error) {
  constexpr std::size_t kShown = 64;
  std::string shown = name.empty() ? "''" : name.substr(0, kShown);
  if (name.size() > kShown) shown += "...";
  const char* doing = type == FileErrorType::CopyOutOpen ? "open it" : "make it";
  return {name, type, shown + ": " + describe(Error{Fault::System, error, doing})};
}

}  // namespace assay::exec
