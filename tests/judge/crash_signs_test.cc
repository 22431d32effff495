#include "judge/crash_signs.h"

#include <gtest/gtest.h>

#include "judge/content.h"

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

Judged said(std::string text) {
  return [text = std::move(text)](const auto& take) {
    take(std::string_view(text).substr(0, text.size() / 2));
    take(std::string_view(text).substr(text.size() / 2));
    return true;
  };
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
                          said(judged))
        .verdict;
  };
  EXPECT_EQ(after_showing(kTraceback, "1\n" + std::string(kTraceback)), Verdict::WrongAnswer);
  EXPECT_EQ(after_showing(kTraceback, "1 2 3\n"), Verdict::JudgeFailed);
  const std::string own = R"(  File "checker.py", line 7)";
  const Language python{.crashes = {kPython.crashes[0], R"(  File "[^"]*", line [0-9]+$)"}};
  EXPECT_TRUE(reports_crash(python, std::string(kTraceback) + own, said(std::string(kTraceback))));
}

// A minute of searching, were each line looked for in all that was judged.
TEST(CrashSigns, ManyLinesThatAreRepeatedAreFoundAtOnce) {
  const Language haskell{.crashes = {"[^ ]+: "}};
  std::string errors;
  while (errors.size() < 65'536)
    errors += "main: \n";
  EXPECT_FALSE(reports_crash(haskell, errors, said(std::string(1 << 20, 'm') + "\nmain: \n")));
  EXPECT_TRUE(reports_crash(haskell, errors, said(std::string(1 << 20, 'm'))));
}

// A wrong answer became the judge's failure: the checker cuts what it shows, or trims it, or shows
// a line that was a megabyte later.
TEST(CrashSigns, WhatACheckerRepeatsInItsOwnWayIsNoneEither) {
  const std::string sign = "Traceback (most recent call last):";
  const std::string shown = sign + "\n";
  const std::vector<std::string> outputs = {sign + "\r\n",
                                            sign + "   ",
                                            "  " + sign,
                                            sign + std::string(60, 'x'),
                                            "1 2 " + sign,
                                            "Traceback  (most\trecent\ncall last):",
                                            "traceback (MOST recent call last)",
                                            std::string(3 << 20, '1') + "\n" + sign,
                                            "TrackTraceback" + sign};
  for (const std::string& judged : outputs)
    EXPECT_FALSE(reports_crash(kPython, shown, said(judged))) << judged.substr(0, 60);
  for (const char* judged : {"", "1 2 3\n", "Traceback (most recent", "call last):"})
    EXPECT_TRUE(reports_crash(kPython, shown, said(judged))) << judged;
  const Language go{.crashes = {"panic: "}};
  EXPECT_FALSE(reports_crash(go, "panic: not a number\n", said("panic")));
  EXPECT_TRUE(reports_crash(go, "panic: not a number\n", said("panik")));
}

TEST(CrashSigns, WhatNobodyKnowsMayHaveBeenASign) {
  const auto unknown = [](const auto&) {
    return false;
  };
  EXPECT_FALSE(reports_crash(kPython, kTraceback, unknown));
}

// What is compared step by step would take minutes for texts such as these.
TEST(CrashSigns, TextsThatNearlyMatchAreReadOnce) {
  const Language odd{.crashes = {"a+b"}};
  std::string errors;
  for (int i = 20; i < 60; ++i)
    errors += std::string(static_cast<std::size_t>(i), 'a') + "b\n";
  EXPECT_TRUE(reports_crash(odd, errors, said(std::string(4 << 20, 'a'))));
  EXPECT_FALSE(reports_crash(odd, errors, said(std::string(4 << 20, 'a') + "b")));
}

TEST(CrashSigns, AFileIsReadToItsEnd) {
  const os::OwnedFd file =
      sealed({.text = std::string(2 << 20, ' ') + std::string(kTraceback)}).value();
  EXPECT_FALSE(reports_crash(kPython, kTraceback, all_of(file.get())));
  const os::OwnedFd other = sealed({.text = std::string(2 << 20, ' ')}).value();
  EXPECT_TRUE(reports_crash(kPython, kTraceback, all_of(other.get())));
  EXPECT_FALSE(reports_crash(kPython, kTraceback, all_of(-1)));
}

TEST(CrashSigns, VeryLongLinesAreLookedAtInPartOnly) {
  const Language greedy{.crashes = {"x.*y"}};
  const std::string flood = std::string(8 << 20, 'x') + "y";
  EXPECT_FALSE(reports_crash(greedy, flood));
  EXPECT_TRUE(reports_crash(greedy, flood + "\nx and y"));
}

}  // namespace
}  // namespace assay::judge
