// Pairs of programs with which judges go wrong. Every pair gets the same verdict every time.
#include "judge/interact.h"

#include "tests/judging/fixture.h"
#include "tests/judging/fixture_pairs.h"

namespace assay::test {
namespace {

struct Talk {
  std::string name{};
  std::string solution{}, interactor{};  // the bodies of two main functions
  std::string expect{};                  // letters
  std::string says{};                    // is in the message
  std::string policy = "assay";
  sandbox::Limits limits{};  // of the solution, instead of the usual ones
  sandbox::Limits own{};     // of the interactor
  unsigned at_once = 1;      // for each core
};
void PrintTo(const Talk& talk, std::ostream* out) {
  *out << talk.name;
}

constexpr const char* kPrelude = R"(
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char line[1 << 16];
static void say(const char* s) { if (write(1, s, strlen(s)) < 0) exit(9); }
static long hear(void) { return read(0, line, sizeof line); }
static void hear_all(void) { while (hear() > 0) {} }
static void say_mb(int n) { memset(line, 'x', sizeof line); for (int i = 0; i < n * 16; ++i) if (write(1, line, sizeof line) < 0) exit(9); }
int main(void) { )";

// A pair that waits ends at its idle limit, and one that works at its cpu limit.
const sandbox::Limits kIdle{.idle_time = 400ms};
const sandbox::Limits kShort{.cpu_time = 20ms, .wall_time = 10s};

const std::vector<Talk> kTalks = {
    {"BothWell", "say(\"42\\n\"); hear(); return 0;", "hear(); say(\"ok\\n\"); return 0;", "AC"},
    {"SaysNoWhileTheSolutionStillWrites", "for (;;) say(\"1\\n\");", "hear(); return 1;", "WA"},
    {"SaysNoAndLeavesItUnread", "say_mb(4); hear(); return 0;", "hear(); say_mb(4); return 1;",
     "WA"},
    {"SolutionDiesOfSigpipe", "for (;;) say(\"1\\n\");",
     "hear(); close(0); usleep(2000); return 1;", "WA", "", "rbx"},
    {"SigpipeAfterAYesIsTheSolutions", "for (;;) say(\"1\\n\");", "hear(); return 0;", "RTE", "",
     "rbx"},
    {"NoSigpipeAfterAYes", "for (int i = 0; i < 999; ++i) say(\"1\\n\"); return 0;",
     "hear(); return 0;", "AC"},
    {"BothExitAtOnce", "say(\"42\\n\"); return 0;", "hear(); return 0;", "AC"},
    {"BothExitAtOnceAndTheAnswerIsWrong", "say(\"41\\n\"); return 0;", "hear(); return 1;", "WA"},
    {"AWrongAnswerBeforeACrashIsWrong", "say(\"41\\n\"); return 3;", "hear(); return 1;", "WA"},
    {"ARightAnswerBeforeACrashIsACrash", "say(\"42\\n\"); abort();", "hear(); return 0;", "RE"},
    {"ACrashThatTheInteractorComplainsAbout",
     "raise(SIGSEGV);",
     "if (hear() == 0) return 2; return 0;",
     "RE",
     "",
     "assay",
     {},
     {},
     kWaits},
    {"ACrashInTheMiddle",
     "say(\"1\\n\"); hear(); abort();",
     "hear(); say(\"2\\n\"); if (hear() == 0) return 1; return 0;",
     "RE",
     "",
     "assay",
     {},
     {},
     kWaits},
    {"EndsTooEarly", "return 0;", "if (hear() == 0) return 1; return 0;", "WA"},
    {"AnswersThenHangs",
     "say(\"42\\n\"); for (;;) pause();",
     "hear(); return 0;",
     "ILE",
     "",
     "assay",
     kIdle,
     {},
     kWaits},
    {"AnswersThenSpins", "say(\"42\\n\"); for (;;) {}", "hear(); return 0;", "TLE", "", "assay",
     kShort},
    {"InteractorSpins",
     "say(\"42\\n\"); hear(); return 0;",
     "hear(); for (;;) {}",
     "JE",
     "the interactor took too long",
     "assay",
     {},
     kShort},
    {"InteractorTakesTheSolutionsTime",
     "say(\"42\\n\"); hear(); return 0;",
     "hear(); for (;;) {}",
     "JE",
     "the interactor",  // by its own limit or the other's: whoever starts late on a full machine
     "assay",
     {.wall_time = scaled(150ms)},
     {.cpu_time = scaled(220ms), .wall_time = scaled(20s)}},
    {"TenMegabytesThatNobodyReads", "say(\"42\\n\"); return 0;", "say_mb(10); hear(); return 0;",
     "AC"},
    {"TenMegabytesBeforeTheAnswerIsRead", "say_mb(10); hear(); return 0;",
     "say(\"go\\n\"); hear_all(); return 0;", "AC"},
    {"NoNewlines", "for (int i = 0; i < 500; ++i) { say(\"?\"); hear(); } return 0;",
     "for (int i = 0; i < 500; ++i) { hear(); say(\"!\"); } return 0;", "AC"},
    {"SolutionClosesItsOutput",
     "say(\"42\"); close(1); hear_all(); return 0;",
     "hear_all(); say(\"bye\"); return 0;",
     "AC",
     "",
     "assay",
     {},
     {},
     kWaits},
    {"InteractorClosesItsOutput",
     "hear_all(); say(\"42\"); return 0;",
     "close(1); hear_all(); return 0;",
     "AC",
     "",
     "assay",
     {},
     {},
     kWaits},
    {"InteractorWritesWithoutEnd",
     "hear_all(); return 0;",
     "for (;;) say_mb(1);",
     "JE",
     "the interactor wrote too much",
     "assay",
     {},
     {.output = 4_MiB}},
    {"InteractorWritesWithoutEndAndNobodyReads",
     "hear(); for (;;) pause();",
     "for (;;) say_mb(1);",
     "JE",
     "the interactor wrote too much",
     "assay",
     {},
     {.output = 4_MiB}},
    {"SolutionWritesWithoutEnd",
     "for (;;) say_mb(1);",
     "hear_all(); return 0;",
     "OLE",
     "",
     "assay",
     {.output = 4_MiB}},
    {"BothWait",
     "hear(); return 0;",
     "hear(); return 0;",
     "ILE",
     "both sides wait for input since",
     "assay",
     kIdle,
     {},
     kWaits},
    {"InteractorSleepsOverItsMail",
     "say(\"42\\n\"); hear(); return 0;",
     "for (;;) pause();",
     "JE",
     "has not read",
     "assay",
     kIdle,
     {},
     kWaits},
    {"InteractorCannotGoOnWriting",
     "say(\"42\\n\"); for (;;) pause();",
     "say_mb(20); hear(); return 0;",
     "ILE",
     "the solution has not read",
     "assay",
     kIdle,
     {.output = 64_MiB},
     kWaits},
    {"InteractorCrashes", "hear(); return 0;", "abort();", "JE", "the interactor died of signal 6"},
    {"InteractorExitsWithNonsense", "hear(); return 0;", "return 42;", "JE", "code 42"},
    {"InteractorGivesUp", "hear(); return 0;", "return 3;", "JE"},
};

class InteractTest : public JudgingTest, public ::testing::WithParamInterface<Talk> {
 protected:
  judge::Program program_of(const std::string& body, const verdict::Policy& rules) {
    const judge::Submission source = in_c(kPrelude + body + "\n return 0; }\n");
    const auto order = judge::compile_order(languages(), source);
    auto compiled = judge::compile(engine(), *order, rules, cancellation());
    EXPECT_TRUE(compiled && compiled->program) << compiled->result->log;
    return *std::move(compiled->program);
  }

  void expect_one_verdict(const Talk& talk, judge::ProcessIo io);
};

void InteractTest::expect_one_verdict(const Talk& talk, judge::ProcessIo io) {
  const auto rules = verdict::load_policy(ASSAY_SOURCE_DIR "/policies", talk.policy).value();
  const judge::Program solution = program_of(talk.solution, rules);
  const judge::Program interactor = program_of(talk.interactor, rules);
  judge::Problem problem = problem_of({{"input", "answer"}});
  problem.kind = judge::ProblemKind::Interactive;
  problem.process_io = io;
  problem.interactor.emplace().limits = talk.own;
  const judge::TestOrder test{.program = solution,
                              .problem = problem,
                              .test = problem.tests.front(),
                              .request = talk.limits,
                              .profiles = profiles(),
                              .policy = rules};
  repeat({.name = talk.name + ", expected " + talk.expect,
          .at_once = talk.at_once,
          .once = [&]() -> std::string {
            const auto done =
                judge::interact(engine(), {.test = test, .interactor = interactor}, cancellation());
            if (!done) return describe(done.error());
            const std::string letters =
                rules.verdicts.at(verdict::index_of(done->ruling.verdict)).letters;
            const bool right = letters == talk.expect && done->ruling.reason.contains(talk.says);
            return right ? "" : letters + ": " + done->ruling.reason;
          }},
         3);
}

TEST_P(InteractTest, IsJudgedTheSameEveryTime) {
  NEEDS_METERS();
  expect_one_verdict(GetParam(), judge::ProcessIo::Stdio);
}

TEST_P(InteractTest, IsJudgedTheSameAtATerminal) {
  NEEDS_METERS();
  expect_one_verdict(GetParam(), judge::ProcessIo::Terminal);
}

INSTANTIATE_TEST_SUITE_P(Each, InteractTest, ::testing::ValuesIn(kTalks),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace assay::test
