// Where a program is looked for: in the work directory first, then along the command's own PATH.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace assay::exec {

struct Search {
  std::vector<std::string> candidates{};
  std::string failure{};  // what to say when none of them can be executed
};

// Without a PATH in the environment a bare name cannot be looked up, which is an error.
Result<Search> search_for(const std::string& program, const std::vector<std::string>& environment);

}  // namespace assay::exec
