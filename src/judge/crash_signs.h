// Checkers and interactors whose runtime ends them with an exit code that is a verdict: an error
// that nobody caught is 1 in most languages, as testlib's "wrong answer" is.
#pragma once

#include <functional>
#include <string_view>

#include "judge/language.h"
#include "judge/protocol.h"

namespace assay::judge {

// Everything that a submission said to whoever judged it, piece by piece. False: nobody knows, and
// it may have been anything.
using Judged = std::function<bool(const std::function<void(std::string_view)>& take)>;

Judged all_of(int file);  // borrowed; its offset is left alone

// Whether a line begins with one of the language's signs. A sign whose words were `judged`, too,
// is none: a checker that shows an output it refuses would be made to fail by it. It may show them
// cut, joined or respelled, so that only letters and digits are compared, in either case.
bool reports_crash(const Language& language, std::string_view errors);
bool reports_crash(const Language& language, std::string_view errors, const Judged& judged);

// Only there are what submissions said, and signs, looked for.
bool may_hide_crashes(const Language& language, Protocol protocol);

// A "no" that is only the exit code of a crash becomes JudgeFailed.
CheckResult unless_crashed(CheckResult result, const Language& language, Protocol protocol,
                           const CheckerRun& run, const Judged& judged = {});

}  // namespace assay::judge
