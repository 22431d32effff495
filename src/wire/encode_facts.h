// The engine's facts, with the names that `assay exec --json` gives them.
#pragma once

#include <string>

#include "sandbox/facts.h"

namespace assay::wire {

void append_facts(std::string& out, const sandbox::Facts& facts);

}  // namespace assay::wire
