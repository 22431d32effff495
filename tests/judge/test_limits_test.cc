// What a run may use under a policy, and how much longer it may run so that more can be said.
#include "judge/test_limits.h"

#include <gtest/gtest.h>

namespace assay::judge {
namespace {

using namespace std::chrono_literals;

verdict::Policy policy(const std::string& name) {
  return verdict::load_policy(ASSAY_SOURCE_DIR "/policies", name).value();
}

sandbox::Limits under(const std::string& name, const Language& language, LimitSources sources) {
  return limits_of_test(language, policy(name), sources, {}).run.enforced;
}

const LimitSources kUsual{.problem = {.cpu_time = 1s, .memory = 64_MiB},
                          .profile = {.output = 16_MiB, .processes = 7}};

TEST(TestLimits, OfWallTimeAreEachPolicysOwn) {
  const Language cpp{.family = "cpp"};
  const Language python{.family = "python3", .time = {.wall_extra = 2s}};
  EXPECT_EQ(under("assay", cpp, kUsual).wall_time, 2500ms);
  EXPECT_EQ(under("assay", python, kUsual).wall_time, 4s);
  EXPECT_EQ(under("noj", cpp, kUsual).wall_time, 1300ms);
  EXPECT_EQ(under("noj", python, kUsual).wall_time, 1300ms);
  EXPECT_EQ(under("rbx", cpp, kUsual).wall_time, 2500ms);
  EXPECT_EQ(under("rbx", {.family = "java"}, kUsual).wall_time, 5s);
  LimitSources said = kUsual;
  said.problem.wall_time = 9s;
  for (const char* name : {"assay", "noj", "fuzoj", "rbx", "gojudge"})
    EXPECT_EQ(under(name, cpp, said).wall_time, 9s) << name;
}

TEST(TestLimits, OfStackAndAddressSpaceAreEachPolicysOwn) {
  EXPECT_EQ(under("assay", {}, kUsual).stack, std::nullopt);  // which is as much as memory
  EXPECT_EQ(under("assay", {}, kUsual).address_space, std::nullopt);
  EXPECT_EQ(under("noj", {}, kUsual).stack, 128_MiB);
  EXPECT_EQ(under("noj", {}, kUsual).address_space, 128_MiB);
  EXPECT_EQ(under("rbx", {}, kUsual).stack, Bytes{~0ULL});
  EXPECT_EQ(under("turingarena", {}, kUsual).stack, Bytes{~0ULL});
  EXPECT_EQ(under("turingarena", {}, kUsual).address_space, 256_MiB);
  const Language managed{.memory = {.model = MemoryModel::Managed}};
  EXPECT_EQ(under("noj", managed, kUsual).address_space, std::nullopt);
}

TEST(TestLimits, OfProcessesAndOutputComeFromTheProblemThenThePolicyThenTheProfile) {
  EXPECT_EQ(under("assay", {}, kUsual).processes, 7U);
  EXPECT_EQ(under("noj", {}, kUsual).processes, 11U);
  EXPECT_EQ(under("fuzoj", {}, kUsual).processes, 32U);
  EXPECT_EQ(under("noj", {}, kUsual).output, 1_GiB);
  EXPECT_EQ(under("fuzoj", {}, kUsual).output, 16_MiB);
  LimitSources said = kUsual;
  said.problem.processes = 3;
  EXPECT_EQ(under("noj", {}, said).processes, 3U);
  said.request.processes = 2;
  EXPECT_EQ(under("noj", {}, said).processes, 2U);
}

TEST(TestLimits, AreWholeMillisecondsAndMebibytesWherePolicyRoundsUp) {
  const Language odd{.memory = {.multiplier = {1003}}, .time = {.multiplier = {1001}}};
  const LimitSources sources{.problem = {.cpu_time = 10ms, .memory = 10_MiB}};
  EXPECT_EQ(under("fuzoj", odd, sources).cpu_time, 11ms);
  EXPECT_EQ(under("fuzoj", odd, sources).memory, 11_MiB);
  EXPECT_EQ(under("assay", odd, sources).cpu_time, 10010us);
}

TEST(TestLimits, AreLongerThanDeclaredWithASoftLimit) {
  const Language slow{.time = {.multiplier = {2000}}};
  const TestLimits limits = limits_of_test(slow, policy("rbx"), kUsual, {.time = {2000}});
  EXPECT_EQ(limits.declared.cpu_time, 2s);
  EXPECT_EQ(limits.declared.wall_time, 4500ms);
  EXPECT_EQ(limits.run.enforced.cpu_time, 4s);
  EXPECT_EQ(limits.run.enforced.wall_time, 8500ms);  // a * expanded limit + b
  EXPECT_EQ(limits.run.enforced.memory, 64_MiB);
}

TEST(TestLimits, WithoutASoftLimitDeclareNothingElse) {
  const TestLimits limits = limits_of_test({}, policy("assay"), kUsual, {});
  EXPECT_EQ(limits.declared, sandbox::Limits{});
  const TestLimits unlimited = limits_of_test({}, policy("assay"), {}, {.time = {2000}});
  EXPECT_EQ(unlimited.declared, sandbox::Limits{});
}

// What the kernel does for a program is not user time, and must not end it at the limit of that.
TEST(TestLimits, WhereUserTimeDecidesEndSomeWholeSecondsLater) {
  LimitSources half = kUsual;
  half.problem.cpu_time = 500ms;
  const TestLimits limits = limits_of_test({}, policy("noj"), half, {});
  EXPECT_EQ(limits.declared.cpu_time, 500ms);
  EXPECT_EQ(limits.declared.wall_time, 800ms);
  EXPECT_EQ(limits.run.enforced.cpu_time, 1s);
  EXPECT_EQ(limits.run.enforced.wall_time, 800ms);
  half.problem.cpu_time = 1900ms;
  EXPECT_EQ(limits_of_test({}, policy("noj"), half, {}).run.enforced.cpu_time, 3s);
}

TEST(TestLimits, OfASanitizedRunLeaveRoomAndDeclareNoTime) {
  LimitSources sources = kUsual;
  sources.problem.address_space = 1_GiB;
  const TestLimits limits = limits_of_test({}, policy("noj"), sources, {.sanitized = true});
  EXPECT_EQ(limits.declared, sandbox::Limits{});
  EXPECT_EQ(limits.run.enforced.cpu_time, 10s);
  EXPECT_EQ(limits.run.enforced.memory, 512_MiB);
  EXPECT_EQ(limits.run.enforced.address_space, std::nullopt);
}

TEST(CheckerLimits, KnowNoMultiplierAndFollowTheProblemsTime) {
  const verdict::Policy usual = policy("assay");
  const Language slow{.memory = {.multiplier = {1500}}, .time = {.multiplier = {2000}}};
  const LimitSources own{.request = {.cpu_time = 3s, .memory = 100_MiB},
                         .problem = {.cpu_time = 9s}};
  EXPECT_EQ(limits_of_checker(slow, usual, own).enforced.cpu_time, 3s);
  EXPECT_EQ(limits_of_checker(slow, usual, own).enforced.memory, 100_MiB);
  EXPECT_EQ(limits_of_checker(slow, usual, {.problem = {.cpu_time = 200ms}}).enforced.cpu_time, 5s);
  EXPECT_EQ(limits_of_checker(slow, usual, {.problem = {.cpu_time = 2s}}).enforced.cpu_time, 10s);
  EXPECT_EQ(limits_of_checker(slow, usual, {}).enforced.cpu_time, 5s);
  const LimitSources profile{.problem = {.memory = 8_MiB}, .profile = {.memory = 256_MiB}};
  EXPECT_EQ(limits_of_checker(slow, usual, profile).enforced.memory, 256_MiB);
}

TEST(CheckerLimits, AreThePolicysWhereItHasSomeAndTheCheckerHasNot) {
  const verdict::Policy rbx = policy("rbx");
  const LimitSources short_test{.problem = {.cpu_time = 100ms, .memory = 8_MiB}};
  EXPECT_EQ(limits_of_checker({}, rbx, short_test).enforced.cpu_time, 50s);
  EXPECT_EQ(limits_of_checker({}, rbx, short_test).enforced.wall_time, 50s);
  EXPECT_EQ(limits_of_checker({}, rbx, short_test).enforced.memory, 1_GiB);
  const LimitSources own{.request = {.cpu_time = 3s, .memory = 100_MiB}};
  EXPECT_EQ(limits_of_checker({}, rbx, own).enforced.cpu_time, 3s);
  EXPECT_EQ(limits_of_checker({}, rbx, own).enforced.wall_time,
            limits_of_checker({}, policy("assay"), own).enforced.wall_time);
  EXPECT_EQ(limits_of_checker({}, rbx, own).enforced.memory, 100_MiB);
}

}  // namespace
}  // namespace assay::judge
