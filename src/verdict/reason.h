// The sentences of a Judgement. Private to this room.
#pragma once

#include <string>

#include "sandbox/facts.h"
#include "verdict/policy.h"

namespace assay::verdict {

std::string about_cpu(const sandbox::Facts& facts, CpuClock clock);
std::string about_wall(const sandbox::Facts& facts);
std::string about_idle(const sandbox::Facts& facts);
std::string about_memory(const sandbox::Facts& facts);
std::string about_output(const sandbox::Facts& facts);
std::string about_end(const sandbox::End& end);
std::string about_stop(sandbox::CutOff cut);

}  // namespace assay::verdict
