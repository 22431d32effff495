// A dialogue for people: the interactor on the left, the solution on the right, with times.
#pragma once

#include <string>

#include "judge/judge_result.h"

namespace assay::cli {

// Of a long dialogue the beginning and the end. Empty: nothing was noted.
std::string side_by_side(const judge::InteractionResult& interaction);

}  // namespace assay::cli
