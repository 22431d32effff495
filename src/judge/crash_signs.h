// Checkers and interactors whose runtime ends them with an exit code that is a verdict: an error
// that nobody caught is 1 in most languages, as testlib's "wrong answer" is.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "judge/language.h"
#include "judge/protocol.h"

namespace assay::judge {

// A line that was `judged`, too, is no report: a checker that shows an output it refuses would be
// made to fail by it.
bool reports_crash(const Language& language, std::string_view errors, std::string_view judged = {});

// The beginning of what was judged. Asked for only when there are signs of a crash.
using Judged = std::function<std::string()>;

// A "no" that is only the exit code of a crash becomes JudgeFailed.
CheckResult unless_crashed(CheckResult result, const Language& language, Protocol protocol,
                           const CheckerRun& run, const Judged& judged = {});

}  // namespace assay::judge
