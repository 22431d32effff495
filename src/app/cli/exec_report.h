// What `assay exec` says about a run: to a person, or as one JSON object.
#pragma once

#include <string>

#include "sandbox/facts.h"
#include "verdict/judge.h"

namespace assay::cli {

std::string json_report(const sandbox::Facts& facts, const verdict::Judgement& judgement);
std::string summary(const sandbox::Facts& facts, const verdict::Judgement& judgement, bool colours);

}  // namespace assay::cli
