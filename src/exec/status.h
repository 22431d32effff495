// How a finished run is called, by the policy, and what a client is told about files.
#pragma once

#include "exec/result.h"
#include "verdict/policy.h"

namespace assay::exec {

// Fills status, exit status, error and the measurements. `facts.file_errors` are the copy-out
// errors that count.
void fill_status(CommandResult& result, const sandbox::Facts& facts, const verdict::Policy& policy,
                 const std::string& not_found);

FileError explain(const sandbox::FileError& error);

}  // namespace assay::exec
