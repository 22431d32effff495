// How `assay judge` shows a result to people.
#pragma once

#include <string>

#include "judge/judge_result.h"

namespace assay::cli {

enum class Colours { No, Yes };

std::string compile_line(const judge::CompileResult& compile);
std::string table(const judge::JudgeResult& result, Colours colours);

}  // namespace assay::cli
