// Processes and managers with which judges go wrong. Everything gets the same verdict every time.
#include "judge/communicate.h"

#include "tests/judging/fixture.h"
#include "tests/judging/fixture_pairs.h"

namespace assay::test {
namespace {

struct Talk {
  std::string name{};
  std::string process{};  // the body of its main function; `me` is its number
  std::string manager{};  // likewise
  std::string expect{};   // letters
  std::string says{};     // the message
  sandbox::Limits limits{};
  sandbox::Limits own{};  // of the manager
  unsigned at_once = 1;   // for each core
  unsigned processes = 2;
  bool opens = true;  // what it could hear, where it has a path
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
static void say_to(int fd, const char* s) { if (write(fd, s, strlen(s)) < 0) exit(9); }
static long hear_from(int fd) { return read(fd, line, sizeof line); }
static void hear_all_from(int fd) { while (hear_from(fd) > 0) {} }
static void say_mb_to(int fd, int n) {
  memset(line, 'x', sizeof line);
  for (int i = 0; i < n * 16; ++i) if (write(fd, line, sizeof line) < 0) exit(9);
}
)";
// Whether it was given paths or not.
constexpr const char* kProcess = R"(
static int in = 0, out = 1;
static void say(const char* s) { say_to(out, s); }
static long hear(void) { return hear_from(in); }
static void hear_all(void) { hear_all_from(in); }
static void say_mb(int n) { say_mb_to(out, n); }
int main(int argc, char** argv) {
  int me = argc % 2 == 0 ? atoi(argv[argc - 1]) : 0;
  if (argc > 2) { if (OPENS) in = open(argv[1], O_RDONLY); out = open(argv[2], O_WRONLY); }
  if (in < 0 || out < 0) return 8;
  (void)me;
)";
constexpr const char* kManager = R"(
static int from[40], to[40];
static void say(int i, const char* s) { say_to(to[i], s); }
static long hear(int i) { return hear_from(from[i]); }
static void hear_all(int i) { hear_all_from(from[i]); }
static void say_mb(int i, int n) { say_mb_to(to[i], n); }
static int share(const char* s) { puts(s); fflush(stdout); fputs("word", stderr); exit(0); }
int main(int argc, char** argv) {
  for (int i = 0; 2 * i + 2 < argc; ++i) {
    from[i] = open(argv[2 * i + 1], O_RDONLY);
    to[i] = open(argv[2 * i + 2], O_WRONLY);
    if (from[i] < 0 || to[i] < 0) return 7;
  }
)";

// Those that wait end at their idle limit, and those that work at their cpu limit.
const sandbox::Limits kIdle{.idle_time = 400ms};
const sandbox::Limits kShort{.cpu_time = 20ms, .wall_time = 10s};

const std::vector<Talk> kTalks = {
    {"AllWell", "hear(); say(me ? \"1\" : \"0\"); return 0;",
     "say(0, \"a\"); say(1, \"b\"); hear(0); if (line[0] != '0') share(\"0\"); hear(1); "
     "share(line[0] == '1' ? \"1.0\" : \"0\");",
     "AC", "word"},
    {"HalfRight", "say(\"1\"); return 0;", "hear(0); hear(1); share(\"0.5\");", "PC", "word"},
    {"BothExitAtOnceAndTheAnswerIsWrong", "say(\"41\"); return 0;",
     "hear(0); hear(1); share(\"0.0\");", "WA", "word"},
    {"SaysNoWhileTheyStillWrite", "for (;;) say(\"1\\n\");", "hear(0); hear(1); share(\"0\");",
     "WA", "word", kShort},
    {"GoOnForAWhileAfterAYes", "for (int i = 0; i < 999; ++i) say(\"1\\n\"); return 0;",
     "hear(0); share(\"1\");", "AC", "word"},
    {"AWrongAnswerBeforeACrashIsWrong", "say(\"41\"); return 3;", "hear(0); hear(1); share(\"0\");",
     "WA", "word"},
    {"ARightAnswerBeforeACrashIsACrash", "say(\"42\"); if (me) abort(); return 0;",
     "hear(0); hear(1); share(\"1\");", "RE", "process 1: "},
    {"ACrashThatTheManagerComplainsAbout", "if (me == 1) abort(); hear(); return 0;",
     "if (hear(1) == 0) share(\"0\"); share(\"1\");", "RE", "process 1: "},
    {"BothCrashAtOnce", "abort();", "hear_all(0); hear_all(1); share(\"0\");", "RE", "process 0: "},
    {"ACrashThatMakesTheOtherCrash", "if (me == 0 && hear() == 0) abort(); if (me) abort();",
     "hear_all(1); close(to[0]); hear_all(0); share(\"0\");", "RE", "process 1: "},
    {"AManagerThatBreaksOnACrash", "if (me) abort(); hear(); return 0;",
     "if (hear(1) == 0) abort(); share(\"1\");", "RE", "process 1: "},
    {"LeavesEarly", "if (me) return 0; hear(); return 0;",
     "if (hear(1) == 0) share(\"0\"); share(\"1\");", "WA", "word"},
    {"AnswersThenSpins", "say(\"42\"); if (me) for (;;) {} return 0;",
     "hear(0); hear(1); share(\"1\");", "TLE", "process 1: ", kShort},
    {"SpinsAndTheManagerWaits", "if (me) for (;;) {} hear(); return 0;",
     "if (hear(1) == 0) share(\"0\"); share(\"1\");", "TLE", "process 1: ", kShort},
    {"AnswersThenHangs",
     "say(\"42\"); if (me) for (;;) pause(); return 0;",
     "hear(0); hear(1); share(\"1\");",
     "ILE",
     "process 1: ",
     kIdle,
     {},
     kWaits},
    {"AllWait",
     "hear(); return 0;",
     "hear(0); share(\"1\");",
     "ILE",
     "process 0, process 1 and the manager wait for input since",
     kIdle,
     {},
     kWaits},
    {"OneIsSilent",
     "if (me) hear(); return 0;",
     "hear(0); hear(1); share(\"1\");",
     "ILE",
     "process 1 and the manager wait for input since",
     kIdle,
     {},
     kWaits},
    {"OneHasSpokenAndTheManagerWaitsForTheOther",
     "if (me == 0) say(\"42\"); hear(); return 0;",
     "hear(1); share(\"1\");",
     "ILE",
     "process 0, process 1 and the manager wait for input since",
     kIdle,
     {},
     kWaits},
    {"OneCrashesAndAllOthersWait",
     "if (me) abort(); hear(); return 0;",
     "hear(0); share(\"1\");",
     "RE",
     "process 1: ",
     kIdle,
     {},
     kWaits},
    {"TheManagerSleepsOverItsMail",
     "say(\"42\"); hear(); return 0;",
     "for (;;) pause();",
     "JE",
     "the manager has not read",
     kIdle,
     {},
     kWaits},
    {"TheManagerCannotGoOnWriting",
     "say(\"42\"); if (me) for (;;) pause(); hear(); return 0;",
     "say_mb(1, 20); hear(0); hear(1); share(\"1\");",
     "ILE",
     "process 1 has not read",
     kIdle,
     {.output = 64_MiB},
     kWaits},
    {"TheManagerCannotGoOnWritingToOneThatNeverListened",
     "say(\"42\"); for (;;) pause();",
     "say_mb(0, 20); hear(0); share(\"1\");",
     "ILE",
     "the solution has not read",
     kIdle,
     {.output = 64_MiB},
     kWaits,
     1,
     false},
    {"TheManagerSpins",
     "hear(); return 0;",
     "for (;;) {}",
     "JE",
     "the manager took too long",
     {},
     kShort},
    {"TheManagerCrashes", "hear(); return 0;", "abort();", "JE", "the manager died of signal 6"},
    {"TheManagerExitsWithACode", "hear(); return 0;", "return 4;", "JE",
     "the manager exited with code 4"},
    {"TheManagerSaysNothing", "hear(); return 0;", "return 0;", "JE",
     "the manager's first line is no number"},
    {"TheManagerWritesWithoutEnd",
     "hear_all(); return 0;",
     "for (;;) say_mb(1, 1);",
     "JE",
     "the manager wrote too much",
     {},
     {.output = 4_MiB}},
    {"AProcessWritesWithoutEnd",
     "if (me) for (;;) say_mb(1); hear(); return 0;",
     "hear_all(1); share(\"0\");",
     "OLE",
     "process 1: ",
     {.output = 4_MiB}},
    {"TenMegabytesThatNobodyReads", "return 0;", "say_mb(0, 10); say_mb(1, 10); share(\"1\");",
     "AC", "word"},
    {"TenMegabytesThroughTheManager", "if (me) hear_all(); else say_mb(10); return 0;",
     "for (long n; (n = hear(0)) > 0;) if (write(to[1], line, n) < 0) return 5; close(to[1]); "
     "hear_all(1); share(\"1\");",
     "AC", "word"},
    {"AClosedFifoIsAnEnd",
     "hear_all(); say(\"ok\"); return 0;",
     "close(to[0]); close(to[1]); if (hear(0) != 2 || hear(1) != 2) share(\"0\"); share(\"1\");",
     "AC",
     "word",
     {},
     {},
     kWaits},
    {"AlternateTwoHundredTimes", "for (int i = 0; i < 200; ++i) { hear(); say(\"?\"); } return 0;",
     "for (int i = 0; i < 400; ++i) { say(i % 2, \"!\"); if (hear(i % 2) != 1) share(\"0\"); } "
     "share(\"1\");",
     "AC", "word"},
    {"OneAlone",
     "hear(); if (argc == 2) return 5; say(\"x\"); return 0;",
     "say(0, \"a\"); hear(0); share(\"1\");",
     "AC",
     "word",
     {},
     {},
     1,
     1},
    {"OneAloneCrashes", "abort();", "hear(0); share(\"0\");", "RE", "", {}, {}, 1, 1},
    {"Eight",
     "hear(); printf(\"x\"); fflush(stdout); if (line[0] != '0' + me) return 4; say(line); "
     "return 0;",
     "char s[2] = {0}; for (int i = 0; i < 8; ++i) { s[0] = (char)('0' + i); say(i, s); } "
     "for (int i = 7; i >= 0; --i) if (hear(i) < 1) share(\"0\"); share(\"1\");",
     "AC",
     "word",
     {},
     {},
     1,
     8},
};

class CommunicateTest : public JudgingTest,
                        public ::testing::WithParamInterface<std::tuple<Talk, judge::ProcessIo>> {
 protected:
  judge::Program program_of(const std::string& source, const verdict::Policy& rules) {
    const auto order = judge::compile_order(languages(), in_c(source));
    auto compiled = judge::compile(engine(), *order, rules, cancellation());
    EXPECT_TRUE(compiled && compiled->program) << compiled->result->log;
    return *std::move(compiled->program);
  }
};

TEST_P(CommunicateTest, IsJudgedTheSameEveryTime) {
  NEEDS_METERS();
  const auto& [talk, io] = GetParam();
  const auto rules = verdict::load_policy(ASSAY_SOURCE_DIR "/policies", "assay").value();
  const std::string end = "\n return 0; }\n";
  const std::string opens = talk.opens ? "#define OPENS 1" : "#define OPENS 0";
  const judge::Program process =
      program_of(opens + kPrelude + kProcess + talk.process + end, rules);
  const judge::Program manager =
      program_of(std::string(kPrelude) + kManager + talk.manager + end, rules);
  judge::Problem problem = problem_of({{"input", "answer"}});
  problem.kind = judge::ProblemKind::Communication;
  problem.processes = talk.processes;
  problem.process_io = io;
  problem.manager.emplace().limits = talk.own;
  const judge::TestOrder test{.program = process,
                              .problem = problem,
                              .test = problem.tests.front(),
                              .request = talk.limits,
                              .profiles = profiles(),
                              .policy = rules};
  repeat({.name = talk.name + ", expected " + talk.expect,
          .at_once = talk.at_once,
          .once = [&]() -> std::string {
            const auto done =
                judge::communicate(engine(), {.test = test, .interactor = manager}, cancellation());
            if (!done) return describe(done.error());
            const judge::Ruling& ruling = done->talk.ruling;
            const std::string letters =
                rules.verdicts.at(verdict::index_of(ruling.verdict)).letters;
            const bool right = letters == talk.expect && ruling.reason.contains(talk.says);
            return right ? "" : letters + ": " + ruling.reason;
          }},
         3);
}

INSTANTIATE_TEST_SUITE_P(Each, CommunicateTest,
                         ::testing::Combine(::testing::ValuesIn(kTalks),
                                            ::testing::Values(judge::ProcessIo::Stdio,
                                                              judge::ProcessIo::Fifo)),
                         [](const auto& each) {
                           const bool named = std::get<1>(each.param) == judge::ProcessIo::Fifo;
                           return std::get<0>(each.param).name + (named ? "ByFifo" : "");
                         });

}  // namespace
}  // namespace assay::test
