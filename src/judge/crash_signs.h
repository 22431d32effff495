// Checkers and interactors whose runtime ends them with an exit code that is a verdict: an error
// that nobody caught is 1 in most languages, as testlib's "wrong answer" is.
#pragma once

#include <string_view>

#include "judge/language.h"
#include "judge/protocol.h"

namespace assay::judge {

bool reports_crash(const Language& language, std::string_view errors);

// A "no" that is only the exit code of a crash becomes JudgeFailed.
CheckResult unless_crashed(CheckResult result, const Language& language, Protocol protocol,
                           const CheckerRun& run);

}  // namespace assay::judge
