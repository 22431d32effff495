// How `assay judge` shows a result: a table for people, JSON for programs.
#pragma once

#include <string>

#include "judge/judge_result.h"

namespace assay::cli {

enum class Colours { No, Yes };

std::string compile_line(const judge::CompileResult& compile);
std::string table(const judge::JudgeResult& result, Colours colours);

// The JudgeResult of seed 001, section 14: one object and a line end.
std::string judge_json(const judge::JudgeResult& result);

}  // namespace assay::cli
