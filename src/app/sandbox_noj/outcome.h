// What Normal-OJ's result file says about a run: four lines, decided as the original decides. Pure.
#pragma once

#include <string>

#include "app/sandbox_noj/arguments.h"
#include "sandbox/facts.h"

namespace assay::noj {

// status / how it ended / user CPU time in ms / peak memory in KB
std::string result_lines(const sandbox::Facts& facts, const Arguments& arguments);

// Of a run that we failed to make.
std::string failure_lines();

}  // namespace assay::noj
