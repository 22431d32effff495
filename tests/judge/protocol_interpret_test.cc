#include <gtest/gtest.h>

#include <csignal>

#include "judge/checker_text.h"
#include "judge/protocol.h"

namespace assay::judge {
namespace {

using sandbox::CutOff;
using sandbox::Exited;
using sandbox::Signaled;
using verdict::Verdict;

constexpr std::array kAll = {Protocol::Testlib, Protocol::Icpc,  Protocol::ExitCode,
                             Protocol::Cms,     Protocol::Lines, Protocol::Boca};

CheckResult after(Protocol protocol, int code, std::string_view output = "",
                  std::string_view errors = "", Feedback feedback = {}) {
  return interpret(
      protocol,
      {.end = Exited{code}, .output = output, .errors = errors, .feedback = std::move(feedback)});
}

Score share(double value) {
  return {Score::Unit::Share, value};
}
Score points(double value) {
  return {Score::Unit::Points, value};
}

TEST(Protocols, ACheckerThatDiesIsTheJudgesFault) {
  for (const Protocol protocol : kAll) {
    const CheckResult result = interpret(
        protocol, {.end = Signaled{SIGSEGV}, .output = "1\nSTATUS: AC", .errors = "ok fine"});
    EXPECT_EQ(result.verdict, Verdict::JudgeFailed) << name_of(protocol);
    EXPECT_EQ(result.message, "the checker died of signal 11 (SIGSEGV): ok fine");
    EXPECT_FALSE(result.score.has_value());
  }
}

TEST(Protocols, ACheckerThatIsCutOffIsTheJudgesFaultEvenIfItExits) {
  const std::vector<std::pair<CutOff, std::string>> cuts = {
      {CutOff::Cpu, "the checker took too long"},
      {CutOff::Wall, "the checker took too long"},
      {CutOff::Idle, "the checker took too long"},
      {CutOff::Memory, "the checker needed too much memory"},
      {CutOff::Output, "the checker wrote too much"},
      {CutOff::Files, "the checker wrote too much"}};
  for (const Protocol protocol : kAll)
    for (const auto& [cut, message] : cuts) {
      const CheckResult result = interpret(protocol, {.end = Exited{0}, .cut_off_by = cut});
      EXPECT_EQ(result.verdict, Verdict::JudgeFailed) << name_of(protocol);
      EXPECT_EQ(result.message, message);
    }
}

TEST(Protocols, ACheckThatWeStoppedIsNobodysFault) {
  for (const CutOff cut : {CutOff::Peer, CutOff::Cancelled, CutOff::Terminated, CutOff::Shutdown})
    EXPECT_EQ(interpret(Protocol::Testlib, {.end = Signaled{SIGKILL}, .cut_off_by = cut}).verdict,
              Verdict::Skipped);
}

TEST(Protocols, ACheckerThatDoesNotStartOrIsForbiddenIsTheJudgesFault) {
  for (const Protocol protocol : kAll) {
    const CheckResult missing =
        interpret(protocol, {.end = sandbox::NotStarted{"execute", "check\x1b", ENOENT}});
    EXPECT_EQ(missing.verdict, Verdict::JudgeFailed);
    EXPECT_EQ(missing.message.find('\x1b'), std::string::npos);
    EXPECT_TRUE(missing.message.starts_with("the checker did not start: ")) << missing.message;
    const CheckResult forbidden = interpret(protocol, {.end = sandbox::Forbidden{101}});
    EXPECT_EQ(forbidden.verdict, Verdict::JudgeFailed);
    EXPECT_EQ(forbidden.message, "the checker called ptrace, which its profile forbids");
  }
}

TEST(Testlib, ExitCodesDecide) {
  const std::vector<std::pair<int, Verdict>> codes = {
      {0, Verdict::Accepted},     {1, Verdict::WrongAnswer},       {2, Verdict::PresentationError},
      {3, Verdict::JudgeFailed},  {4, Verdict::PresentationError}, {5, Verdict::WrongAnswer},
      {6, Verdict::JudgeFailed},  {8, Verdict::PresentationError}, {9, Verdict::JudgeFailed},
      {15, Verdict::JudgeFailed}, {117, Verdict::JudgeFailed},     {255, Verdict::JudgeFailed}};
  for (const auto& [code, verdict] : codes)
    EXPECT_EQ(after(Protocol::Testlib, code).verdict, verdict) << code;
  EXPECT_EQ(after(Protocol::Testlib, 9, "", "hm").message,
            "the checker exited with code 9, which testlib does not know: hm");
}

TEST(Testlib, TheMessageIsWhatIsOnStderr) {
  const CheckResult result =
      after(Protocol::Testlib, 1, "ignored", "wrong answer 1st words differ\n");
  EXPECT_EQ(result.message, "wrong answer 1st words differ");
  EXPECT_FALSE(result.score.has_value());
}

TEST(Testlib, PointsAreReadFromStderr) {
  const CheckResult result = after(Protocol::Testlib, 7, "", "points 12.5 nearly\n");
  EXPECT_EQ(result.verdict, Verdict::PartiallyCorrect);
  EXPECT_EQ(result.score, points(12.5));
  EXPECT_EQ(result.message, "points 12.5 nearly");
  EXPECT_EQ(after(Protocol::Testlib, 7, "", "points 3").score, points(3));
  EXPECT_EQ(after(Protocol::Testlib, 7, "", "points 0\n").score, points(0));
  for (const char* bad : {"", "points", "points ", "points x", "points -1", "points nan",
                          "points 1e999", "ok 3", "points 3x"})
    EXPECT_EQ(after(Protocol::Testlib, 7, "", bad).verdict, Verdict::JudgeFailed) << bad;
}

// A validator whose protocol was not named exits with 43, and a checker that broke with anything.
TEST(Testlib, ACodeWithoutTheWordsIsNeverAScore) {
  for (int code = 9; code < 256; ++code) {
    EXPECT_EQ(after(Protocol::Testlib, code).verdict, Verdict::JudgeFailed) << code;
    const CheckResult spoken = after(Protocol::Testlib, code, "", "nearly right");
    EXPECT_EQ(spoken.verdict, Verdict::JudgeFailed) << code;
    EXPECT_FALSE(spoken.score.has_value()) << code;
  }
}

TEST(Testlib, PartiallyCorrectComesFromTheWordsThatFitTheCode) {
  EXPECT_EQ(after(Protocol::Testlib, 16 + 40, "", "partially correct (40) x").score, share(0.4));
  EXPECT_EQ(after(Protocol::Testlib, 116, "", "partially correct (100) x").verdict,
            Verdict::Accepted);
  const CheckResult one = after(Protocol::Testlib, 1, "", "partially correct (1) a bit");
  EXPECT_EQ(one.verdict, Verdict::PartiallyCorrect);
  EXPECT_EQ(one.score, share(0.01));
  EXPECT_EQ(after(Protocol::Testlib, 50, "", "partially correct (50) x").score, share(0.5));
  EXPECT_EQ(after(Protocol::Testlib, 70, "", "partially correct (20) x").score, share(0.2));
  EXPECT_EQ(after(Protocol::Testlib, 0, "", "partially correct (0) x").verdict,
            Verdict::WrongAnswer);
  EXPECT_EQ(after(Protocol::Testlib, 150, "", "partially correct (150) x").verdict,
            Verdict::JudgeFailed);
  // Words that do not fit the code are only words.
  EXPECT_EQ(after(Protocol::Testlib, 1, "", "partially correct (80) x").verdict,
            Verdict::WrongAnswer);
  EXPECT_EQ(after(Protocol::Testlib, 1, "", "partially correct (1").verdict, Verdict::WrongAnswer);
}

TEST(Icpc, FortyTwoAndFortyThreeAndNothingElse) {
  EXPECT_EQ(after(Protocol::Icpc, 42).verdict, Verdict::Accepted);
  EXPECT_EQ(after(Protocol::Icpc, 43).verdict, Verdict::WrongAnswer);
  for (const int code : {0, 1, 2, 41, 44, 255})
    EXPECT_EQ(after(Protocol::Icpc, code).verdict, Verdict::JudgeFailed) << code;
  EXPECT_EQ(after(Protocol::Icpc, 0, "", "", {.judge_message = "why"}).message,
            "the validator exited with code 0 instead of 42 or 43: why");
}

TEST(Icpc, MessagesComeFromTheFeedbackDirectory) {
  const CheckResult result = after(Protocol::Icpc, 43, "", "noise",
                                   {.judge_message = "line 3\n", .team_message = " try again\n"});
  EXPECT_EQ(result.message, "line 3");
  EXPECT_EQ(result.team_message, "try again");
  EXPECT_EQ(after(Protocol::Icpc, 43, "", "on stderr").message, "on stderr");
}

TEST(Icpc, ScoresBelongToAcceptedOutputs) {
  const CheckResult scored = after(Protocol::Icpc, 42, "", "", {.score = "17.5\n"});
  EXPECT_EQ(scored.verdict, Verdict::Accepted);
  EXPECT_EQ(scored.score, points(17.5));
  const CheckResult half = after(Protocol::Icpc, 42, "", "", {.score_multiplier = "0.5"});
  EXPECT_EQ(half.verdict, Verdict::PartiallyCorrect);
  EXPECT_EQ(half.score, share(0.5));
  EXPECT_EQ(after(Protocol::Icpc, 42, "", "", {.score_multiplier = "1"}).verdict,
            Verdict::Accepted);
  const std::vector<std::pair<int, Feedback>> wrong = {
      {43, {.score = "1"}},
      {43, {.score_multiplier = "0"}},
      {42, {.score = ""}},
      {42, {.score = "much"}},
      {42, {.score = "-1"}},
      {42, {.score = "nan"}},
      {42, {.score = "1 2"}},
      {42, {.score_multiplier = "1.5"}},
      {42, {.score_multiplier = "x"}},
      {42, {.score = "1", .score_multiplier = "1"}}};
  for (const auto& [code, feedback] : wrong)
    EXPECT_EQ(after(Protocol::Icpc, code, "", "", feedback).verdict, Verdict::JudgeFailed);
}

TEST(Icpc, AnotherPassNeedsAnAcceptedOne) {
  EXPECT_TRUE(after(Protocol::Icpc, 42, "", "", {.next_pass = true}).another_pass);
  EXPECT_FALSE(after(Protocol::Icpc, 42).another_pass);
  EXPECT_EQ(after(Protocol::Icpc, 43, "", "", {.next_pass = true}).verdict, Verdict::JudgeFailed);
}

TEST(ExitCode, ZeroIsAcceptedAndAllElseWrong) {
  EXPECT_EQ(after(Protocol::ExitCode, 0).verdict, Verdict::Accepted);
  for (const int code : {1, 2, 3, 42, 255})
    EXPECT_EQ(after(Protocol::ExitCode, code).verdict, Verdict::WrongAnswer) << code;
  EXPECT_EQ(after(Protocol::ExitCode, 1, "said", "").message, "said");
  EXPECT_EQ(after(Protocol::ExitCode, 1, "said", "explained\n").message, "explained");
}

TEST(Cms, TheOutcomeIsTheFirstLineOfStdout) {
  EXPECT_EQ(after(Protocol::Cms, 0, "1.0\n").verdict, Verdict::Accepted);
  EXPECT_EQ(after(Protocol::Cms, 0, "0\nrest\n").verdict, Verdict::WrongAnswer);
  const CheckResult half = after(Protocol::Cms, 0, " 0.5 \r\n", "half of it\nmore");
  EXPECT_EQ(half.verdict, Verdict::PartiallyCorrect);
  EXPECT_EQ(half.score, share(0.5));
  EXPECT_EQ(half.message, "half of it");
  for (const char* bad : {"", "\n1.0", "1.5", "-0.1", "nan", "inf", "AC", "1 1", "1e999"})
    EXPECT_EQ(after(Protocol::Cms, 0, bad).verdict, Verdict::JudgeFailed) << bad;
  EXPECT_EQ(after(Protocol::Cms, 1, "1.0").verdict, Verdict::JudgeFailed);
}

TEST(Cms, WordsToTranslateAreTranslated) {
  EXPECT_EQ(after(Protocol::Cms, 0, "1", "translate:success\n").message, "Output is correct");
  EXPECT_EQ(after(Protocol::Cms, 0, "0", "translate:wrong").message, "Output isn't correct");
  EXPECT_EQ(after(Protocol::Cms, 0, "0.5", "translate:partial").message,
            "Output is partially correct");
}

TEST(Lines, TheLastStatusAndMessageCount) {
  const CheckResult result = after(
      Protocol::Lines, 0, "STATUS: WA\nMESSAGE: no\nnoise\nSTATUS:  AC \r\nMESSAGE: yes: so \n");
  EXPECT_EQ(result.verdict, Verdict::Accepted);
  EXPECT_EQ(result.message, "yes: so");
  EXPECT_EQ(after(Protocol::Lines, 0, "STATUS:WA").verdict, Verdict::WrongAnswer);
  EXPECT_EQ(after(Protocol::Lines, 0, "STATUS: AC").message, "");
}

TEST(Lines, AnythingElseIsTheJudgesFault) {
  for (const char* bad : {"", "STATUS:", "STATUS: ac", "STATUS: TLE", " STATUS: AC", "status: AC",
                          "MESSAGE: x", "STATUS: AC\nSTATUS: XX"})
    EXPECT_EQ(after(Protocol::Lines, 0, bad).verdict, Verdict::JudgeFailed) << bad;
  EXPECT_EQ(after(Protocol::Lines, 0, "").message,
            "Check_Result not found: there is no line STATUS:");
  EXPECT_EQ(after(Protocol::Lines, 0, "STATUS: X\x1b").message,
            "Invalid Check_Result STATUS: \"X\\x1b\"");
  EXPECT_EQ(after(Protocol::Lines, 1, "STATUS: AC", "Traceback").message,
            "the checker exited with code 1 instead of 0: Traceback");
}

TEST(Lines, MessagesAreCutAt1024Characters) {
  const std::string text = "STATUS: WA\nMESSAGE: " + std::string(1100, 'x');
  EXPECT_EQ(interpret_status_lines(text).message, std::string(1024, 'x') + "...(truncated)");
  const std::string fits = "STATUS: WA\nMESSAGE: " + std::string(1024, 'x');
  EXPECT_EQ(interpret_status_lines(fits).message, std::string(1024, 'x'));
}

TEST(Boca, FourFiveAndSixAreVerdicts) {
  EXPECT_EQ(after(Protocol::Boca, 4).verdict, Verdict::Accepted);
  EXPECT_EQ(after(Protocol::Boca, 5).verdict, Verdict::PresentationError);
  EXPECT_EQ(after(Protocol::Boca, 6, "differs").verdict, Verdict::WrongAnswer);
  EXPECT_EQ(after(Protocol::Boca, 6, "differs").message, "differs");
  for (const int code : {0, 1, 2, 3, 7, 43})
    EXPECT_EQ(after(Protocol::Boca, code).verdict, Verdict::JudgeFailed) << code;
}

TEST(Messages, TenMegabytesAndEscapeCodesAreCutAndEscaped) {
  const std::string flood(10 << 20, '\x1b');
  for (const Protocol protocol : kAll) {
    const CheckResult result = after(protocol, 0, flood, flood, {.judge_message = flood});
    EXPECT_LT(result.message.size(), 5000U) << name_of(protocol);
    EXPECT_EQ(result.message.find('\x1b'), std::string::npos);
  }
}

TEST(Messages, SafeTextKeepsWhatIsSafeAndEscapesTheRest) {
  EXPECT_EQ(safe_text("plain é 漢 😀 \"'\\", 100), "plain é 漢 😀 \"'\\");
  EXPECT_EQ(safe_text("a\n\r\t\x01\x7f", 100), "a\\n\\r\\t\\x01\\x7f");
  EXPECT_EQ(safe_text("\xc2\x9b"
                      "31m",
                      100),
            "\\x9b31m");                                 // CSI as one character
  EXPECT_EQ(safe_text("\xe2\x80\xae", 100), "\\u202e");  // right-to-left override
  EXPECT_EQ(safe_text("\xc0\xaf\xed\xa0\x80\xf5\xe2\x82", 100),
            "\\xc0\\xaf\\xed\\xa0\\x80\\xf5\\xe2\\x82");  // too long, surrogate, past the end, cut
  EXPECT_EQ(safe_text("éééé", 3), "ééé…");
  EXPECT_EQ(safe_text("ééé", 3), "ééé");
  EXPECT_EQ(safe_text("", 0), "");
  EXPECT_EQ(safe_text("x", 0), "…");
}

}  // namespace
}  // namespace assay::judge
