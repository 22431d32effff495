// Output-only problems: the submission is what a program would have printed, one file per test.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/test_run.h"
#include "judge/unpacking.h"

namespace assay::judge {

constexpr ArchiveLimits kOutputArchive{
    .archive = 64_MiB, .total = 256_MiB, .entries = 10000, .ratio = 1000};

using Outputs = std::vector<std::optional<std::string>>;  // by the index of the test

// The output of test "7" is called "7", "7" with any ending but "in", or "output_7" with one, in
// whatever directory; a single file without a name is that of the only test. Other files are left
// aside. Two for one test are refused.
Result<Outputs> outputs_of(const Problem& problem, std::vector<SourceFile> files);

// As if a program had run and printed this. None: a wrong answer.
Result<TestRun> handed_in(const ProblemTest& test, const std::optional<std::string>& output,
                          const verdict::Policy& policy);

}  // namespace assay::judge
