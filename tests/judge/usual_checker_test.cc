// How outputs are checked where the problem does not say: as the policy has it.
#include "judge/usual_checker.h"

#include <gtest/gtest.h>

#include "judge/compare_names.h"

namespace assay::judge {
namespace {

Checker checked(const Problem& problem, const std::string& policy) {
  const auto rules = verdict::load_policy(ASSAY_SOURCE_DIR "/policies", policy).value();
  return checker_under(problem, rules).value();
}

Comparison comparison(const Problem& problem, const std::string& policy) {
  return std::get<Comparison>(checked(problem, policy));
}

Protocol protocol(const Problem& problem, const std::string& policy) {
  return std::get<CheckerProgram>(checked(problem, policy)).protocol;
}

TEST(UsualChecker, ComparesAsThePolicySays) {
  const Problem problem{.checks_by_policy = true};
  EXPECT_EQ(comparison(problem, "noj"), comparison_named("lines").value());
  for (const char* policy : {"assay", "rbx", "fuzoj", "gojudge", "turingarena"})
    EXPECT_EQ(comparison(problem, policy), comparison_named("tokens").value()) << policy;
}

TEST(UsualChecker, UnderstandsAProgramAsThePolicySays) {
  const Problem problem{.checker = CheckerProgram{}, .checks_by_policy = true};
  EXPECT_EQ(protocol(problem, "noj"), Protocol::Lines);
  EXPECT_EQ(protocol(problem, "fuzoj"), Protocol::ExitCode);
  EXPECT_EQ(protocol(problem, "rbx"), Protocol::Testlib);
  EXPECT_EQ(protocol(problem, "assay"), Protocol::Testlib);
}

TEST(UsualChecker, IsTheProblemsWhereItSays) {
  const Problem compared{.checker = comparison_named("exact").value()};
  EXPECT_EQ(comparison(compared, "noj"), comparison_named("exact").value());
  const Problem checked{.checker = CheckerProgram{.protocol = Protocol::Cms}};
  EXPECT_EQ(protocol(checked, "fuzoj"), Protocol::Cms);
}

}  // namespace
}  // namespace assay::judge
