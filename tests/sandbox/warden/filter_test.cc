#include "sandbox/warden/filter.h"

#include <fmt/format.h>
#include <sys/syscall.h>

#include "sandbox/inside/plan.h"
#include "tests/sandbox/warden/bpf.h"

namespace assay::sandbox::warden {
namespace {

constexpr std::uint64_t kKey = 0x0123456789abcdef;
constexpr std::uint64_t kHigh = std::uint64_t{1} << 32;

std::string denying(std::string_view rules) {
  return fmt::format(R"({{"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{}]}})", rules);
}

std::string allowing(std::string_view rules) {
  return fmt::format(R"({{"defaultAction": "SCMP_ACT_KILL_PROCESS", "syscalls": [{}]}})", rules);
}

std::vector<sock_filter> keyed(const std::string& json) {
  const auto filter = compile_filter(json);
  EXPECT_TRUE(filter) << describe(filter.error());
  return filter ? with_key(*filter, kKey) : std::vector<sock_filter>{{BPF_RET | BPF_K, 0, 0, 0}};
}

std::uint32_t decide(const std::vector<sock_filter>& program, int number,
                     const Arguments& arguments = {}) {
  return interpret(program, call_data(number, arguments)).action;
}

std::string why_not(const std::string& json) {
  const auto filter = compile_filter(json);
  return filter ? "it compiled" : filter.error().context;
}

constexpr std::string_view kNoMount = R"({"names": ["mount"], "action": "SCMP_ACT_ERRNO"})";
constexpr std::string_view kRead = R"({"names": ["read"], "action": "SCMP_ACT_ALLOW"})";

TEST(Filter, RefusesWhatARuleNamesAndAllowsTheRest) {
  const auto program = keyed(denying(kNoMount));
  EXPECT_EQ(decide(program, SYS_mount), refused_with(EPERM));
  EXPECT_EQ(decide(program, SYS_read), SECCOMP_RET_ALLOW);
}

TEST(Filter, TurnsKillIntoANotificationSoThatTheCallCanBeNamed) {
  const auto filter = compile_filter(allowing(kRead));
  ASSERT_TRUE(filter);
  EXPECT_TRUE(filter->listens);
  EXPECT_EQ(decide(with_key(*filter, kKey), SYS_fork), SECCOMP_RET_USER_NOTIF);
}

TEST(Filter, WatchesTheCallsThatMakeIpcObjectsAndAllowsThem) {
  for (const int number : {SYS_shmget, SYS_semget, SYS_msgget, SYS_mq_open})
    EXPECT_EQ(decide(keyed(denying(kNoMount)), number), SECCOMP_RET_USER_NOTIF) << number;
  const auto filter = compile_filter(denying(kNoMount));
  ASSERT_TRUE(filter);
  EXPECT_EQ(filter->watched, inside::kShmget | inside::kSemget | inside::kMsgget | inside::kMqOpen);
  EXPECT_TRUE(filter->knows_ipc);
}

TEST(Filter, DoesNotWatchWhatIsDenied) {
  const auto filter =
      compile_filter(denying(R"({"names":["shmget","mq_open"],"action":"SCMP_ACT_ERRNO"},)"
                             R"({"names":["semget"],"action":"SCMP_ACT_KILL"})"));
  ASSERT_TRUE(filter) << describe(filter.error());
  EXPECT_EQ(filter->watched, std::uint32_t{inside::kMsgget});
  EXPECT_TRUE(filter->knows_ipc);
  const auto strict = compile_filter(allowing(kRead));
  ASSERT_TRUE(strict);
  EXPECT_EQ(strict->watched, 0U);
  EXPECT_TRUE(strict->knows_ipc);
}

TEST(Filter, KnowsNothingOfIpcWhereArgumentsDecide) {
  const auto filter =
      compile_filter(denying(R"({"names":["shmget"],"action":"SCMP_ACT_ERRNO",)"
                             R"("args":[{"index":0,"value":7,"op":"SCMP_CMP_EQ"}]})"));
  ASSERT_TRUE(filter) << describe(filter.error());
  EXPECT_FALSE(filter->knows_ipc);
}

TEST(Filter, LetsTheHolderOfTheKeyThrough) {
  for (const auto& program : {keyed(denying(kNoMount)), keyed(allowing(kRead))}) {
    EXPECT_EQ(decide(program, SYS_mount, {0, 0, 0, 0, 0, kKey}), SECCOMP_RET_ALLOW);
    for (const std::uint64_t wrong :
         {kKey + 1, kKey ^ kHigh, kKey << 32, kKey >> 32, kKey & 0xffffffff, ~kKey})
      EXPECT_NE(decide(program, SYS_mount, {0, 0, 0, 0, 0, wrong}), SECCOMP_RET_ALLOW) << wrong;
    for (std::size_t i = 0; i < 5; ++i) {
      Arguments arguments{};
      arguments[i] = kKey;
      EXPECT_NE(decide(program, SYS_mount, arguments), SECCOMP_RET_ALLOW) << "argument " << i;
    }
  }
}

TEST(Filter, TakesAKeyWhoseHalvesAreEqual) {
  const auto filter = compile_filter(denying(kNoMount));
  const auto program = with_key(*filter, 0x0000000700000007);
  EXPECT_EQ(decide(program, SYS_mount, {0, 0, 0, 0, 0, 0x0000000700000007}), SECCOMP_RET_ALLOW);
  EXPECT_EQ(decide(program, SYS_mount, {0, 0, 0, 0, 0, 7}), refused_with(EPERM));
}

TEST(Filter, KeepsEachActionApartBehindItsKeyCheck) {
  const auto program = keyed(denying(
      R"({"names": ["mount"], "action": "SCMP_ACT_ERRNO"},
         {"names": ["bpf"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38},
         {"names": ["ptrace"], "action": "SCMP_ACT_TRAP"},
         {"names": ["kill"], "action": "SCMP_ACT_KILL_THREAD"},
         {"names": ["sync"], "action": "SCMP_ACT_ERRNO", "errnoRet": 0},
         {"names": ["chroot"], "action": "SCMP_ACT_LOG"},
         {"names": ["reboot"], "action": "SCMP_ACT_KILL"},
         {"names": ["swapon"], "action": "SCMP_ACT_NOTIFY"})"));
  EXPECT_EQ(decide(program, SYS_mount), refused_with(EPERM));
  EXPECT_EQ(decide(program, SYS_bpf), refused_with(ENOSYS));
  EXPECT_EQ(decide(program, SYS_ptrace), SECCOMP_RET_TRAP);
  EXPECT_EQ(decide(program, SYS_kill), SECCOMP_RET_KILL_THREAD);
  EXPECT_EQ(decide(program, SYS_sync), refused_with(0));
  EXPECT_EQ(decide(program, SYS_chroot), SECCOMP_RET_LOG);
  EXPECT_EQ(decide(program, SYS_reboot), SECCOMP_RET_USER_NOTIF);
  EXPECT_EQ(decide(program, SYS_swapon), SECCOMP_RET_USER_NOTIF);
}

TEST(Filter, AnswersEnosysForNumbersNobodyHasVetted) {
  for (const auto& program : {keyed(denying(kNoMount)), keyed(allowing(kRead))})
    for (const int number : {335, 400, 423, 463, 600, 0xffff, -1, 0x7fffffff})
      EXPECT_EQ(decide(program, number), refused_with(ENOSYS)) << number;
}

TEST(Filter, LetsARuleSpeakAboutANumberBeyondTheVettedOnes) {
  const auto program = keyed(denying(
      R"({"names": ["#463", "open_tree_attr"], "action": "SCMP_ACT_ERRNO"},
         {"names": ["#500", "#340"], "action": "SCMP_ACT_ALLOW"})"));
  EXPECT_EQ(decide(program, 463), refused_with(EPERM));
  EXPECT_EQ(decide(program, 467), refused_with(EPERM));
  EXPECT_EQ(decide(program, 500), SECCOMP_RET_ALLOW);
  EXPECT_EQ(decide(program, 340), SECCOMP_RET_ALLOW);
  EXPECT_EQ(decide(program, 464), refused_with(ENOSYS));
  EXPECT_EQ(decide(program, 341), refused_with(ENOSYS));
}

TEST(Filter, RefusesTheX32CallsWithTheSameKey) {
  constexpr int kX32 = 0x40000000;
  for (const auto& program : {keyed(denying(kNoMount)), keyed(allowing(kRead))})
    for (int number = 0; number < 600; ++number)
      ASSERT_EQ(decide(program, kX32 | number, {0, 0, 0, 0, 0, kKey}), refused_with(ENOSYS))
          << number;
}

TEST(Filter, RefusesOtherArchitecturesEvenWithTheKey) {
  for (const auto& program : {keyed(denying(kNoMount)), keyed(allowing(kRead))})
    for (const std::uint32_t architecture :
         {std::uint32_t{AUDIT_ARCH_I386}, std::uint32_t{AUDIT_ARCH_AARCH64}, 0U})
      for (int number = 0; number < 600; ++number) {
        const auto data = call_data(number, {0, 0, 0, 0, 0, kKey}, architecture);
        const std::uint32_t action = interpret(program, data).action;
        ASSERT_TRUE(action == SECCOMP_RET_KILL_PROCESS || action == refused_with(ENOSYS)) << number;
      }
}

TEST(Filter, DecidesAllowedCallsWithoutLookingAtArguments) {
  const auto program = keyed(denying(kNoMount));
  EXPECT_TRUE(interpret(program, call_data(SYS_read)).by_number_alone);
  EXPECT_TRUE(interpret(keyed(allowing(kRead)), call_data(SYS_read)).by_number_alone);
  EXPECT_FALSE(interpret(program, call_data(SYS_mount)).by_number_alone);
}

std::uint32_t decide_ioctl(std::string_view op, std::uint64_t value, std::uint64_t argument) {
  const auto program = keyed(denying(fmt::format(
      R"({{"names": ["ioctl"], "action": "SCMP_ACT_ERRNO", "args": [{{"index": 1, "value": {}, "op": "{}"}}]}})",
      value, op)));
  return decide(program, SYS_ioctl, {0, argument, 0, 0, 0, 0});
}

TEST(Filter, ComparesAllSixtyFourBits) {
  struct Row {
    const char* op;
    bool below, same, above;  // refused for 4, 5, 6 when the value is 5
    bool high;                // refused for 5 + 2^32
  };
  for (const Row& row :
       {Row{"SCMP_CMP_NE", true, false, true, true}, Row{"SCMP_CMP_LT", true, false, false, false},
        Row{"SCMP_CMP_LE", true, true, false, false}, Row{"SCMP_CMP_EQ", false, true, false, false},
        Row{"SCMP_CMP_GE", false, true, true, true},
        Row{"SCMP_CMP_GT", false, false, true, true}}) {
    EXPECT_EQ(decide_ioctl(row.op, 5, 4) != SECCOMP_RET_ALLOW, row.below) << row.op;
    EXPECT_EQ(decide_ioctl(row.op, 5, 5) != SECCOMP_RET_ALLOW, row.same) << row.op;
    EXPECT_EQ(decide_ioctl(row.op, 5, 6) != SECCOMP_RET_ALLOW, row.above) << row.op;
    EXPECT_EQ(decide_ioctl(row.op, 5, 5 + kHigh) != SECCOMP_RET_ALLOW, row.high) << row.op;
  }
}

TEST(Filter, ComparesOnlyTheMaskedBits) {
  const auto program = keyed(denying(
      R"({"names": ["ioctl"], "action": "SCMP_ACT_ERRNO",
          "args": [{"index": 1, "value": 4294967295, "valueTwo": 21522, "op": "SCMP_CMP_MASKED_EQ"}]})"));
  EXPECT_EQ(decide(program, SYS_ioctl, {0, 21522}), refused_with(EPERM));
  EXPECT_EQ(decide(program, SYS_ioctl, {0, 21522 + kHigh}), refused_with(EPERM));
  EXPECT_EQ(decide(program, SYS_ioctl, {0, 21523}), SECCOMP_RET_ALLOW);
}

TEST(Filter, RefusesToDenyACallItCannotName) {
  EXPECT_NE(why_not(denying(R"({"names": ["mout"], "action": "SCMP_ACT_ERRNO"})")).find("'mout'"),
            std::string::npos);
  EXPECT_NE(why_not(denying(R"({"names": ["#x"], "action": "SCMP_ACT_KILL"})")).find("'#x'"),
            std::string::npos);
  EXPECT_NE(why_not(allowing(R"({"names": ["mout"], "action": "SCMP_ACT_KILL"})")).find("'mout'"),
            std::string::npos);
}

TEST(Filter, PassesOverAnAllowedNameThatIsNotKnownYet) {
  const auto program =
      keyed(allowing(R"({"names": ["of_the_future", "read"], "action": "SCMP_ACT_ALLOW"})"));
  EXPECT_EQ(decide(program, SYS_read), SECCOMP_RET_ALLOW);
}

TEST(Filter, RefusesRulesThatContradictEachOther) {
  EXPECT_NE(why_not(allowing(
                        R"({"names": ["ioctl"], "action": "SCMP_ACT_ALLOW"},
                   {"names": ["ioctl"], "action": "SCMP_ACT_ERRNO",
                    "args": [{"index": 1, "value": 21522, "op": "SCMP_CMP_EQ"}]})"))
                .find("with and without conditions"),
            std::string::npos);
  EXPECT_NE(why_not(denying(R"({"names": ["mount"], "action": "SCMP_ACT_ERRNO"},
                               {"names": ["mount"], "action": "SCMP_ACT_KILL"})")),
            "it compiled");
}

TEST(Filter, SaysWhichFileCannotBeLoaded) {
  const auto missing = load_filter("/nowhere", "default");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().context.find("/nowhere/seccomp/default.json"), std::string::npos);
  EXPECT_FALSE(load_filter("/nowhere", "../default"));
}

}  // namespace
}  // namespace assay::sandbox::warden
