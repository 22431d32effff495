// Parts of a profile that other files of data have too.
#pragma once

#include <string>
#include <vector>

#include "sandbox/document.h"
#include "sandbox/spec.h"

namespace assay::sandbox {

Status read_environment(const Node& node, std::vector<std::string>& into);  // a table; "K=V"
Status read_limits(const Node& node, Limits& into);

}  // namespace assay::sandbox
