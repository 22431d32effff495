// A verdict is no accident of load: while other judgings keep every core busy, what takes half of
// its limit passes and what takes twice of it does not, every time. ASSAY_SATURATION_RUNS says how
// often (./test --long: 1000).
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "tests/judging/fixture.h"

namespace assay::test {
namespace {

class SaturationTest : public JudgingTest {
 protected:
  static int runs() {
    const char* said = std::getenv("ASSAY_SATURATION_RUNS");  // NOLINT(concurrency-mt-unsafe)
    return said == nullptr ? 40 : std::atoi(said);            // NOLINT(cert-err34-c)
  }

  // By its own clock, which counts from its start.
  static judge::Submission takes(Nanoseconds time) {
    return in_python("import time\nwhile time.process_time() < " +
                     std::to_string(std::chrono::duration<double>(time).count()) +
                     ": pass\nprint(1)");
  }

  // Safe from any thread, unlike judge().
  std::string verdict_of(const judge::Submission& submission) {
    judge::Problem problem = problem_of({{"", "1"}});
    problem.limits.cpu_time = limit;
    judge::Cancellation own;
    const judge::Judge judge(engine(), languages(), profiles(), rules_);
    const auto result = judge.judge(problem, submission, {}, {}, own);
    if (!result) return describe(result.error());
    const judge::TestResult& test = result->tests.front();
    return test.letters == "AC" ? test.letters : test.letters + ": " + test.message;
  }

  const Nanoseconds limit = scaled(150ms);

 private:
  const verdict::Policy rules_ =
      verdict::load_policy(ASSAY_SOURCE_DIR "/policies", "assay").value();
};

TEST_F(SaturationTest, HalfTheLimitIsAlwaysAcceptedAndTwiceTheLimitNever) {
  NEEDS_METERS();
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  std::atomic<int> left = runs();
  std::atomic<bool> over = false;
  std::mutex mutex;
  std::vector<std::string> wrong;
  const auto expect = [&](const std::string& verdict, std::string_view beginning) {
    const std::lock_guard lock(mutex);
    if (!verdict.starts_with(beginning)) wrong.push_back(verdict);
  };
  std::vector<std::jthread> others;
  for (unsigned i = 0; i < cores; ++i)
    others.emplace_back([&] {
      while (!over)
        (void)verdict_of(takes(1h));
    });
  {
    std::vector<std::jthread> judges;
    for (unsigned i = 0; i < cores; ++i)
      judges.emplace_back([&] {
        while (left-- > 0) {
          expect(verdict_of(takes(limit / 2)), "AC");
          expect(verdict_of(takes(limit * 2)), "TLE");
        }
      });
  }
  over = true;
  others.clear();
  EXPECT_TRUE(wrong.empty()) << wrong.size() << ", first: " << wrong.front();
}

}  // namespace
}  // namespace assay::test
