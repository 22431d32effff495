// Pairs of programs with which judges go wrong. Every pair gets the same verdict every time;
// ASSAY_PAIR_RUNS says how often each runs, and with ASSAY_PAIR_LOAD every core has other work.
#include "judge/interact.h"

#include <atomic>
#include <cstdlib>
#include <map>
#include <thread>

#include "tests/judging/fixture.h"

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
const sandbox::Limits kIdle{.idle_time = 150ms};

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
    {"ACrashThatTheInteractorComplainsAbout", "raise(SIGSEGV);",
     "if (hear() == 0) return 2; return 0;", "RE"},
    {"ACrashInTheMiddle", "say(\"1\\n\"); hear(); abort();",
     "hear(); say(\"2\\n\"); if (hear() == 0) return 1; return 0;", "RE"},
    {"EndsTooEarly", "return 0;", "if (hear() == 0) return 1; return 0;", "WA"},
    {"AnswersThenHangs", "say(\"42\\n\"); for (;;) pause();", "hear(); return 0;", "ILE", "",
     "assay", kIdle},
    {"AnswersThenSpins",
     "say(\"42\\n\"); for (;;) {}",
     "hear(); return 0;",
     "TLE",
     "",
     "assay",
     {.cpu_time = 50ms}},
    {"InteractorSpins",
     "say(\"42\\n\"); hear(); return 0;",
     "hear(); for (;;) {}",
     "JE",
     "the interactor took too long",
     "assay",
     {},
     {.cpu_time = 50ms}},
    {"InteractorTakesTheSolutionsTime",
     "say(\"42\\n\"); hear(); return 0;",
     "hear(); for (;;) {}",
     "JE",
     "while the solution waited",
     "assay",
     {.wall_time = 200ms}},
    {"TenMegabytesThatNobodyReads", "say(\"42\\n\"); return 0;", "say_mb(10); hear(); return 0;",
     "AC"},
    {"TenMegabytesBeforeTheAnswerIsRead", "say_mb(10); hear(); return 0;",
     "say(\"go\\n\"); hear_all(); return 0;", "AC"},
    {"NoNewlines", "for (int i = 0; i < 500; ++i) { say(\"?\"); hear(); } return 0;",
     "for (int i = 0; i < 500; ++i) { hear(); say(\"!\"); } return 0;", "AC"},
    {"SolutionClosesItsOutput", "say(\"42\"); close(1); hear_all(); return 0;",
     "hear_all(); say(\"bye\"); return 0;", "AC"},
    {"InteractorClosesItsOutput", "hear_all(); say(\"42\"); return 0;",
     "close(1); hear_all(); return 0;", "AC"},
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
    {"BothWait", "hear(); return 0;", "hear(); return 0;", "ILE", "both sides wait for input since",
     "assay", kIdle},
    {"InteractorSleepsOverItsMail", "say(\"42\\n\"); hear(); return 0;", "for (;;) pause();", "JE",
     "has not read", "assay", kIdle},
    {"InteractorCrashes", "hear(); return 0;", "abort();", "JE", "the interactor died of signal 6"},
    {"InteractorExitsWithNonsense", "hear(); return 0;", "return 42;", "JE", "code 42"},
    {"InteractorGivesUp", "hear(); return 0;", "return 3;", "JE"},
};

class InteractTest : public JudgingTest, public ::testing::WithParamInterface<Talk> {
 protected:
  static int runs() {
    const char* said = std::getenv("ASSAY_PAIR_RUNS");  // NOLINT(concurrency-mt-unsafe)
    return said == nullptr ? 3 : std::atoi(said);       // NOLINT(cert-err34-c)
  }
  static bool is_loaded() {
    return std::getenv("ASSAY_PAIR_LOAD") != nullptr;  // NOLINT(concurrency-mt-unsafe)
  }

  judge::Program program_of(const std::string& body, const verdict::Policy& rules) {
    const judge::Submission source = in_c(kPrelude + body + "\n return 0; }\n");
    const auto order = judge::compile_order(languages(), source);
    auto compiled = judge::compile(engine(), *order, rules, cancellation());
    EXPECT_TRUE(compiled && compiled->program) << compiled->result->log;
    return *std::move(compiled->program);
  }
};

TEST_P(InteractTest, IsJudgedTheSameEveryTime) {
  NEEDS_METERS();
  const Talk& talk = GetParam();
  const auto rules = verdict::load_policy(ASSAY_SOURCE_DIR "/policies", talk.policy).value();
  const judge::Program solution = program_of(talk.solution, rules);
  const judge::Program interactor = program_of(talk.interactor, rules);
  judge::Problem problem = problem_of({{"input", "answer"}});
  problem.kind = judge::ProblemKind::Interactive;
  problem.interactor.emplace().limits = talk.own;
  const judge::TestOrder test{.program = solution,
                              .problem = problem,
                              .test = problem.tests.front(),
                              .request = talk.limits,
                              .profiles = profiles(),
                              .policy = rules};
  std::atomic<bool> over = false;
  std::vector<std::jthread> load;
  for (unsigned i = 0; is_loaded() && i < 2 * std::thread::hardware_concurrency(); ++i)
    load.emplace_back([&] {
      while (!over) {
      }
    });
  std::map<std::string, int> wrong;
  for (int i = 0; i < runs(); ++i) {
    const auto done =
        judge::interact(engine(), {.test = test, .interactor = interactor}, cancellation());
    ASSERT_TRUE(done) << describe(done.error());
    const std::string letters = rules.verdicts.at(verdict::index_of(done->ruling.verdict)).letters;
    const bool right = letters == talk.expect && done->ruling.reason.contains(talk.says);
    if (!right) ++wrong[letters + ": " + done->ruling.reason];
  }
  over = true;
  for (const auto& [story, times] : wrong)
    ADD_FAILURE() << talk.name << ", expected " << talk.expect << ", but " << times << " times "
                  << story;
}

INSTANTIATE_TEST_SUITE_P(Each, InteractTest, ::testing::ValuesIn(kTalks),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace assay::test
