#include "judge/crash_signs.h"

#include <gtest/gtest.h>

namespace assay::judge {
namespace {

using verdict::Verdict;

constexpr std::string_view kTraceback =
    "Traceback (most recent call last):\n  File \"main.py\", line 1, in <module>\n"
    "ModuleNotFoundError: No module named 'nothere'\n";
const Language kPython{.crashes = {R"(Traceback \(most recent call last\):)"}};

CheckResult after(Protocol protocol, int code, std::string_view errors,
                  const Language& language = kPython) {
  const CheckerRun run{.end = sandbox::Exited{code}, .errors = errors};
  return unless_crashed(interpret(protocol, run), language, protocol, run);
}

TEST(CrashSigns, AnErrorThatNobodyCaughtIsTheJudgesFailure) {
  for (const int code : {1, 2, 4, 5, 8}) {
    const CheckResult result = after(Protocol::Testlib, code, kTraceback);
    EXPECT_EQ(result.verdict, Verdict::JudgeFailed) << code;
    EXPECT_TRUE(
        result.message.starts_with("the checker ended with an error that nobody caught: Traceback"))
        << result.message;
  }
  EXPECT_EQ(after(Protocol::ExitCode, 1, kTraceback).verdict, Verdict::JudgeFailed);
  EXPECT_EQ(after(Protocol::Testlib, 1, "debug\n" + std::string(kTraceback)).verdict,
            Verdict::JudgeFailed);
}

TEST(CrashSigns, ANoIsANoWithoutTheSignOrWithTestlibsWords) {
  EXPECT_EQ(after(Protocol::Testlib, 1, "").verdict, Verdict::WrongAnswer);
  EXPECT_EQ(after(Protocol::Testlib, 1, "expected 3, found 4").verdict, Verdict::WrongAnswer);
  EXPECT_EQ(after(Protocol::Testlib, 1, kTraceback, Language{}).verdict, Verdict::WrongAnswer);
  EXPECT_EQ(after(Protocol::Testlib, 1, "wrong answer\n" + std::string(kTraceback)).verdict,
            Verdict::WrongAnswer);
  EXPECT_EQ(after(Protocol::Testlib, 2, "wrong output format\n" + std::string(kTraceback)).verdict,
            Verdict::PresentationError);
}

TEST(CrashSigns, AYesAndTheCodesOfOtherProtocolsAreUntouched) {
  EXPECT_EQ(after(Protocol::Testlib, 0, kTraceback).verdict, Verdict::Accepted);
  EXPECT_EQ(after(Protocol::Icpc, 43, kTraceback).verdict, Verdict::WrongAnswer);
  EXPECT_EQ(after(Protocol::Boca, 6, kTraceback).verdict, Verdict::WrongAnswer);
}

// A checker that quotes an output on a line of its own words must not be made to fail by it.
TEST(CrashSigns, AQuotedSignIsNone) {
  EXPECT_EQ(
      after(Protocol::Testlib, 1, "found 'Traceback (most recent call last):' at 1\n").verdict,
      Verdict::WrongAnswer);
}

TEST(CrashSigns, WhatACheckerOnlyRepeatsIsNone) {
  const auto after_showing = [](std::string_view errors, std::string judged) {
    const CheckerRun run{.end = sandbox::Exited{1}, .errors = errors};
    return unless_crashed(interpret(Protocol::ExitCode, run), kPython, Protocol::ExitCode, run,
                          [=] { return judged; })
        .verdict;
  };
  EXPECT_EQ(after_showing(kTraceback, "1\n" + std::string(kTraceback)), Verdict::WrongAnswer);
  EXPECT_EQ(after_showing(kTraceback, "1 2 3\n"), Verdict::JudgeFailed);
  const std::string own = R"(  File "checker.py", line 7)";
  const Language python{.crashes = {kPython.crashes[0], R"(  File "[^"]*", line [0-9]+$)"}};
  EXPECT_TRUE(reports_crash(python, std::string(kTraceback) + own, kTraceback));
}

// A minute of searching, were each line looked for in all that was judged.
TEST(CrashSigns, ManyLinesThatAreRepeatedAreFoundAtOnce) {
  const Language haskell{.crashes = {"[^ ]+: "}};
  std::string errors;
  while (errors.size() < 65'536)
    errors += "main: \n";
  EXPECT_FALSE(reports_crash(haskell, errors, std::string(1 << 20, 'm') + "\nmain: \n"));
  EXPECT_TRUE(reports_crash(haskell, errors, std::string(1 << 20, 'm')));
}

TEST(CrashSigns, VeryLongLinesAreLookedAtInPartOnly) {
  const Language greedy{.crashes = {"x.*y"}};
  const std::string flood = std::string(8 << 20, 'x') + "y";
  EXPECT_FALSE(reports_crash(greedy, flood));
  EXPECT_TRUE(reports_crash(greedy, flood + "\nx and y"));
}

}  // namespace
}  // namespace assay::judge
