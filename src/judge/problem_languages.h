// Whether the languages of a problem's own programs are known here: a problem that is kept is
// refused before anybody is judged by it.
#pragma once

#include "judge/language_set.h"
#include "judge/problem.h"

namespace assay::judge {

// An InvalidRequest names the first that is not.
Status check_languages(const Problem& problem, const LanguageSet& languages);

}  // namespace assay::judge
