#include "exec/search.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace assay::exec {

Result<Search> search_for(const std::string& program, const std::vector<std::string>& environment) {
  if (program.contains('/')) return Search{{program}, "start: " + program + ": execve: "};
  std::optional<std::string_view> path;
  for (const std::string& variable : environment)
    if (variable.starts_with("PATH=")) path = std::string_view(variable).substr(5);
  if (!path)
    return invalid("execve: handle: " + program +
                   ": no PATH environment variable provided for look up");
  Search search{{"./" + program},
                "execve: handle: " + program + ": executable file not found in $PATH"};
  while (!path->empty()) {
    const std::string_view part = path->substr(0, path->find(':'));
    if (!part.empty()) search.candidates.push_back(std::string(part) + "/" + program);
    path->remove_prefix(std::min(part.size() + 1, path->size()));
  }
  return search;
}

}  // namespace assay::exec
