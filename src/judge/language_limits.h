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

// What of a language its limits depend on. They are worked out for every run, and a language is
// large.
struct LimitRules {
  TimeRules time{};
  Factor memory{};
  Bytes memory_overhead{};
  MemoryModel memory_model = MemoryModel::Native;
  std::uint64_t more_processes = 0;

  static LimitRules of(const Language& language);
};

// The wall limit is what the request or the problem says, multiplied like the cpu limit; else it
// follows from the cpu limit by the language's formula; else it is the profile's.
RunLimits limits_by(const LimitRules& rules, const LimitSources& sources);
RunLimits limits_for(const Language& language, const LimitSources& sources);

Nanoseconds times(Nanoseconds time, Factor factor);  // rounded up; at most what fits
Bytes times(Bytes bytes, Factor factor);

// Whether the runtime gave up because its heap was full: the policy's memory limit, though no meter
// saw it.
bool ran_out_of_memory(const Language& language, const sandbox::Facts& facts,
                       std::string_view errors);

}  // namespace assay::judge
