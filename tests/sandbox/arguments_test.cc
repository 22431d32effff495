#include <algorithm>

#include "tests/support/box_test.h"

namespace assay::test {
namespace {

using sandbox::Exited;
using sandbox::NotStarted;
using Arguments = BoxTest;

std::vector<std::string> split_at_nul(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\0', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

TEST_F(Arguments, ArriveByteForByte) {
  const std::vector<std::string> odd = {"",          " ",          "-rf",      "--",   "a b",
                                        "new\nline", ";$(id)`id`", "\xff\xfe", "'\"\\"};
  Outcome outcome = run({.guest = "print_arguments", .arguments = odd});
  auto parts = split_at_nul(outcome.output);
  ASSERT_GE(parts.size(), odd.size());
  parts.resize(odd.size());
  EXPECT_EQ(parts, odd);
}

TEST_F(Arguments, TheEnvironmentIsExactlyTheProfilesAndTheSpecs) {
  ::setenv("ASSAY_TEST_SECRET", "secret", 1);
  const Outcome outcome =
      run({.guest = "print_arguments", .environment = {"LANG=xx", "MINE=a=b", "EMPTY="}});
  auto variables = split_at_nul(outcome.output);
  std::ranges::sort(variables);
  EXPECT_EQ(variables,
            (std::vector<std::string>{
                "env ASAN_OPTIONS=detect_leaks=0", "env EMPTY=", "env HOME=/w", "env LANG=xx",
                "env MINE=a=b",
                "env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}));
}

TEST_F(Arguments, AVariableWithoutANameIsPassedOnAsItIs) {
  const Outcome outcome =
      run({.guest = "print_arguments", .environment = {"A=1", "", "=x", "NAME", ""}});
  auto variables = split_at_nul(outcome.output);
  for (const std::string expected : {"env A=1", "env ", "env =x", "env NAME"})
    EXPECT_EQ(std::ranges::count(variables, expected), expected == "env " ? 2 : 1) << expected;
}

TEST_F(Arguments, ANulIsAnInvalidRequest) {
  const auto argument = try_run({.guest = "exit_code", .arguments = {std::string("a\0b", 3)}});
  const auto variable = try_run({.guest = "exit_code", .environment = {std::string("A=a\0b", 5)}});
  ASSERT_FALSE(argument);
  ASSERT_FALSE(variable);
  EXPECT_EQ(argument.error().fault, Fault::InvalidRequest);
  EXPECT_EQ(variable.error().fault, Fault::InvalidRequest);
}

TEST_F(Arguments, HundredKibibytesOfEachArrive) {
  const std::string large(100 << 10, 'a');
  const Outcome outcome =
      run({.guest = "count_arguments", .arguments = {large}, .environment = {"LARGE=" + large}});
  EXPECT_TRUE(ended_as(outcome, Exited{0})) << outcome;
  EXPECT_TRUE(outcome.output.starts_with("2 arguments 102407 bytes")) << outcome;
}

TEST_F(Arguments, AMebibyteOfArgumentsArrives) {
  const std::vector<std::string> many(16 << 10, std::string(63, 'a'));
  const Outcome outcome = run({.guest = "count_arguments", .arguments = many});
  EXPECT_TRUE(outcome.output.starts_with("16385 arguments " + std::to_string(7 + 63 * (16 << 10))))
      << outcome;
}

TEST_F(Arguments, AHundredThousandEmptyArgumentsArrive) {
  const std::vector<std::string> many(100'000, "");
  const Outcome outcome = run({.guest = "count_arguments", .arguments = many});
  EXPECT_TRUE(outcome.output.starts_with("100001 arguments 7 bytes")) << outcome;
}

// The kernel takes no single argument of more than 128 KiB.
TEST_F(Arguments, OneArgumentThatTheKernelRefusesIsNamed) {
  const Outcome outcome =
      run({.guest = "count_arguments", .arguments = {std::string(1 << 20, 'a')}});
  EXPECT_TRUE(ended_as(outcome, NotStarted{"execute", "./guest", E2BIG})) << outcome;
  EXPECT_EQ(run({.guest = "exit_code"}).letters, "AC");
}

TEST_F(Arguments, MoreThanAnyMessageHoldsIsAnInvalidRequest) {
  const auto outcome =
      try_run({.guest = "exit_code",
               .arguments = std::vector<std::string>(64, std::string(100 << 10, 'a'))});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().fault, Fault::InvalidRequest);
  EXPECT_EQ(run({.guest = "exit_code"}).letters, "AC");
}

TEST_F(Arguments, AProgramWithoutASlashIsFoundByPath) {
  EXPECT_EQ(run({.arguments = {"echo", "found"}}).output, "found\n");
  EXPECT_EQ(run({.arguments = {"guest"},
                 .files_in = {{"bin/guest", "#!/bin/sh\necho mine\n", true}},
                 .environment = {"PATH=/nowhere:/w/bin:/usr/bin"}})
                .output,
            "mine\n");
}

}  // namespace
}  // namespace assay::test
