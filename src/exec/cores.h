// Sets of cores as the kernel writes them: "0-2,5".
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay::exec {

Result<std::vector<unsigned>> parse_cores(std::string_view list);

}  // namespace assay::exec
