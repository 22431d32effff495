// Each worker's programs run on its core.
#include "os/cores.h"

#include "tests/judging/fixture.h"

namespace assay::test {
namespace {

using CoresOfJudging = JudgingTest;

constexpr const char* kSaysItsCores = R"(
import os
print(*sorted(os.sched_getaffinity(0)))
)";

TEST_F(CoresOfJudging, AWorkersProgramsRunOnItsCore) {
  const std::vector<unsigned> all = os::usable_cores();
  const std::string last = std::to_string(all.back()) + "\n";
  const judge::Problem problem = problem_of({{"", last}, {"", last}, {"", last}});
  const judge::JudgeResult result =
      judge(problem, in_python(kSaysItsCores), {.workers = 2, .cores = {all.back()}});
  EXPECT_EQ(letters(result), "AC AC AC");
  EXPECT_EQ(os::usable_cores(), all);  // of the thread that asked, which was a worker, too
}

TEST_F(CoresOfJudging, WithoutThemEveryCoreIsTheirs) {
  std::string all;
  for (const unsigned core : os::usable_cores())
    all += std::to_string(core) + " ";
  const judge::JudgeResult result =
      judge(problem_of({{"", all}}), in_python(kSaysItsCores), {.workers = 2});
  EXPECT_EQ(letters(result), "AC");
}

}  // namespace
}  // namespace assay::test
