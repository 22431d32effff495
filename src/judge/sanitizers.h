// Programs that were compiled with sanitizers. What they report is flagged, whoever asked for them.
// That time does not count (Allowance::sanitized) is for the judge who asks for a sanitized run:
// were a flag or a word on stderr enough, every submission could buy time with it.
#pragma once

#include <string_view>

#include "judge/compiler.h"
#include "judge/judge_result.h"

namespace assay::judge {

// The submission with the flags of a sanitized build; an InvalidRequest where the language has
// none.
Result<Submission> with_sanitizers(const LanguageSet& languages, Submission submission);

// "main.c:3:5: runtime error: …" and "==1==ERROR: AddressSanitizer: …"; not what a managed runtime
// says about its own exceptions, as Go does in the same words.
bool has_sanitizer_report(const Language& language, std::string_view errors);

}  // namespace assay::judge
