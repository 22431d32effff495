#include "sandbox/warden/rules.h"

#include <gtest/gtest.h>

#include "sandbox/warden/syscalls.h"

namespace assay::sandbox::warden {
namespace {

std::string why_not(std::string_view json) {
  const auto rules = parse_rules(json);
  return rules ? "it parsed" : rules.error().context;
}

std::string with_rule(const std::string& rule) {
  return R"({"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [)" + rule + "]}";
}

std::string with_condition(const std::string& condition) {
  return with_rule(R"({"names": ["ioctl"], "action": "SCMP_ACT_ERRNO", "args": [)" + condition +
                   "]}");
}

TEST(Rules, ReadTheOciFormat) {
  const auto rules = parse_rules(R"({
    "comment": "x", "defaultAction": "SCMP_ACT_ERRNO", "defaultErrnoRet": 38,
    "architectures": ["SCMP_ARCH_X86", "SCMP_ARCH_X86_64", "SCMP_ARCH_X32"],
    "syscalls": [{"names": ["ioctl", "#463"], "action": "SCMP_ACT_ALLOW", "comment": "y",
                  "args": [{"index": 1, "value": 18446744073709551615, "valueTwo": 2, "op": "SCMP_CMP_MASKED_EQ"},
                           {"index": 0, "value": 3, "valueTwo": 0, "op": "SCMP_CMP_LE"}]}]})");
  ASSERT_TRUE(rules) << describe(rules.error());
  EXPECT_EQ(rules->otherwise, (Decision{Action::Errno, ENOSYS}));
  ASSERT_EQ(rules->rules.size(), 1U);
  EXPECT_EQ(rules->rules[0], (Rule{.names = {"ioctl", "#463"},
                                   .decision = {Action::Allow},
                                   .conditions = {{1, Compare::MaskedEqual, UINT64_MAX, 2},
                                                  {0, Compare::LessOrEqual, 3, 0}}}));
}

TEST(Rules, RefuseWithEpermUnlessTheySayOtherwise) {
  const auto rules = parse_rules(R"({"defaultAction": "SCMP_ACT_ERRNO"})");
  ASSERT_TRUE(rules);
  EXPECT_EQ(rules->otherwise, (Decision{Action::Errno, EPERM}));
}

TEST(Rules, NameThePlaceOfAMistake) {
  EXPECT_EQ(why_not(with_rule(R"({"names": ["a"], "action": "ALLOW"})")),
            "syscalls[0].action: unknown action 'ALLOW'");
  EXPECT_EQ(why_not(with_condition(R"({"index": 1, "value": 1, "op": "EQ"})")),
            "syscalls[0].args[0].op: unknown comparison 'EQ'");
  EXPECT_EQ(why_not(R"({"syscalls": []})"), "defaultAction: missing");
  EXPECT_EQ(why_not(with_rule("3")), "syscalls[0]: must be an object");
}

TEST(Rules, RefuseKeysTheyDoNotKnow) {
  EXPECT_NE(why_not(with_rule(R"({"names": ["a"], "action": "SCMP_ACT_ERRNO", "includes": {}})"))
                .find("includes"),
            std::string::npos);
  EXPECT_NE(why_not(R"({"defaultAction": "SCMP_ACT_ALLOW", "flags": []})").find("flags"),
            std::string::npos);
}

TEST(Rules, RefuseNumbersOutOfRange) {
  for (const char* condition :
       {R"({"index": 6, "value": 1, "op": "SCMP_CMP_EQ"})",
        R"({"index": -1, "value": 1, "op": "SCMP_CMP_EQ"})",
        R"({"index": 1, "value": -1, "op": "SCMP_CMP_EQ"})",
        R"({"index": 1, "value": 1.5, "op": "SCMP_CMP_EQ"})",
        R"({"index": 1, "value": "1", "op": "SCMP_CMP_EQ"})",
        R"({"index": 1, "op": "SCMP_CMP_EQ"})", R"({"value": 1, "op": "SCMP_CMP_EQ"})",
        R"({"index": 1, "value": 1, "valueTwo": 1, "op": "SCMP_CMP_EQ"})",
        R"({"index": 1, "value": 1, "valueTwo": 2, "op": "SCMP_CMP_MASKED_EQ"})"})
    EXPECT_NE(why_not(with_condition(condition)), "it parsed") << condition;
  EXPECT_NE(why_not(with_rule(R"({"names": ["a"], "action": "SCMP_ACT_ERRNO", "errnoRet": 4096})")),
            "it parsed");
}

TEST(Rules, RefuseAnErrorThatNobodyWouldReturn) {
  EXPECT_NE(why_not(with_rule(R"({"names": ["a"], "action": "SCMP_ACT_KILL", "errnoRet": 1})")),
            "it parsed");
}

TEST(Rules, RefuseTwoConditionsOnOneArgument) {
  EXPECT_NE(why_not(with_condition(R"({"index": 1, "value": 1, "op": "SCMP_CMP_NE"},
                                      {"index": 1, "value": 2, "op": "SCMP_CMP_NE"})"))
                .find("args[1].index"),
            std::string::npos);
}

TEST(Rules, RefuseAListThatLeavesOutThisMachine) {
  EXPECT_NE(why_not(R"({"defaultAction": "SCMP_ACT_ALLOW", "architectures": ["SCMP_ARCH_ARM"]})"),
            "it parsed");
  EXPECT_NE(why_not(R"({"defaultAction": "SCMP_ACT_ALLOW", "architectures": ["amd64"]})"),
            "it parsed");
}

TEST(Rules, SayInWhichLineTheJsonEnds) {
  EXPECT_EQ(why_not("{\n\"defaultAction\": \"SCMP_ACT_ALLOW\",\n}").substr(0, 17),
            "line 3: not JSON:");
  for (const char* text :
       {"", "[]", "{", "{} {}", "nonsense", "{\"defaultAction\": \"SCMP_ACT_ALLOW\"} x"})
    EXPECT_NE(why_not(text), "it parsed") << text;
}

TEST(Rules, RefuseARuleForNothing) {
  EXPECT_NE(why_not(with_rule(R"({"names": [], "action": "SCMP_ACT_ERRNO"})")), "it parsed");
  EXPECT_NE(why_not(with_rule(R"({"names": [7], "action": "SCMP_ACT_ERRNO"})")), "it parsed");
}

TEST(Syscalls, HaveNumbersAlsoWhenLibseccompIsTooOldForThem) {
  EXPECT_EQ(syscall_number("read"), 0);
  EXPECT_EQ(syscall_number("statmount"), 457);
  EXPECT_EQ(syscall_number("mseal"), 462);
  EXPECT_EQ(syscall_number("#463"), 463);
}

TEST(Syscalls, OfOtherMachinesHaveNone) {
  for (const char* name : {"socketcall", "vm86", "no_such_call", "", "#", "#-1", "#1x", "#99999"})
    EXPECT_FALSE(syscall_number(name)) << name;
}

}  // namespace
}  // namespace assay::sandbox::warden
