// What is compiled, and how, when a problem has a word in it: with a grader, or as a project with a
// Makefile. Pure.
#pragma once

#include <string>
#include <vector>

#include "judge/compiler.h"
#include "judge/problem.h"

namespace assay::judge {

// Files of a submission or of a problem, unpacked.
struct Project {
  std::vector<SourceFile> files{};
  std::vector<std::string> directories{};
};

// What a wrapped `make` exits with when its rule of one executable is broken; make itself never
// does.
constexpr int kNotOneExecutable = 213;

// Before anything is unpacked: neither sources nor an archive, both, or the wrong one of them.
Status check_handed_in(const Problem& problem, const Submission& submission);

// `own` are the submission's files, `theirs` those of the problem's project (MakeFunctionOnly).
Result<CompileOrder> build_order(const LanguageSet& languages, const Problem& problem,
                                 const Submission& submission, Project own, Project theirs);

}  // namespace assay::judge
