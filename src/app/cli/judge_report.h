// How `assay judge` shows a result to people.
#pragma once

#include <string>

#include "judge/judge_result.h"
#include "judge/problem.h"

namespace assay::cli {

enum class Colours { No, Yes };

std::string compile_line(const judge::CompileResult& compile);
// With bars of time and memory against the limits that the problem gives.
std::string table(const judge::Problem& problem, const judge::JudgeResult& result, Colours colours);

}  // namespace assay::cli
