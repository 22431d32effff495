// From what a request, a problem and a profile say to what is enforced for a language: per limit
// the request's, else the problem's, else the profile's; then times the language's multiplier,
// rounded up. Stack, output and the like are not multiplied.
#pragma once

#include "judge/language.h"
#include "sandbox/facts.h"

namespace assay::judge {

struct LimitSources {
  sandbox::Limits request{};
  sandbox::Limits problem{};
  sandbox::Limits profile{};
  Factor allowance{};  // so many times its time limit it may really run
};

struct RunLimits {
  sandbox::Limits enforced{};     // with what the runtime itself needs
  std::optional<Bytes> memory{};  // the program's own, without it
};

// The wall limit is what the request or the problem says, multiplied like the cpu limit; else it
// follows from the cpu limit by the language's formula; else it is the profile's.
RunLimits limits_for(const Language& language, const LimitSources& sources);

Nanoseconds times(Nanoseconds time, Factor factor);  // rounded up; at most what fits
Bytes times(Bytes bytes, Factor factor);

// Whether the runtime gave up because its heap was full: the policy's memory limit, though no meter
// saw it.
bool ran_out_of_memory(const Language& language, const sandbox::Facts& facts,
                       std::string_view errors);

}  // namespace assay::judge
