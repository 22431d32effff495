// On what terms a program of the problem's author talks with submissions, whatever it is called.
// Private to interact.cc and communicate.cc.
#pragma once

#include <string_view>

#include "judge/interact.h"

namespace assay::judge {

// As a checker's, with a wall limit that is past the solution's. `own` are what its author says.
RunLimits limits_of_partner(const InteractOrder& order, const sandbox::Limits& own,
                            const sandbox::Limits& solution);

// Where all wait for each other nothing changes any more, so the idle limit comes before the wall
// limit, whatever that is. The first program is a solution.
void limit_idleness(const verdict::Policy& policy, std::vector<sandbox::Spec>& programs);

// How much a program may say to another.
Bytes most_said(const verdict::Policy& policy, const sandbox::Spec& program);
exec::Relay::ReaderGone fate_of_writers(const verdict::Policy& policy);

// Since when nobody has said anything.
Nanoseconds silence_of(const GroupRun& run);

// The word of "the interactor" by its exit, and by what its language's runtime said of it.
CheckResult interpret_partner(std::string_view who, Protocol protocol, const CheckerRun& run,
                              const Language& language = {});

}  // namespace assay::judge
