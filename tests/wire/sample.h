// A request and results in which every field is used.
#pragma once

#include <vector>

#include "exec/command.h"
#include "exec/result.h"

namespace assay::wire {

exec::Request full_request();
exec::Request pair_request();  // two commands, joined
std::vector<exec::CommandResult> full_results();

}  // namespace assay::wire
