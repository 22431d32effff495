// On what terms a program of the problem's author talks with submissions, whatever it is called.
// Private to interact.cc and communicate.cc.
#pragma once

#include <string_view>

#include "judge/crash_signs.h"
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

// How much of what is said to it is kept, to tell its own failures from what it repeats.
Bytes kept_for(const Language& partner, Protocol protocol);
// Whether all that was said on these channels to a partner is among what was kept.
Judged heard_on(const GroupRun& run, std::vector<std::size_t> channels);

// The word of "the interactor" by its exit, and by what its language's runtime said of it.
CheckResult interpret_partner(std::string_view who, Protocol protocol, const CheckerRun& run,
                              const Language& language = {}, const Judged& judged = {});

}  // namespace assay::judge
