// Communication problems through the whole pipeline.
#include <thread>

#include "judge/dialogue.h"
#include "tests/judging/fixture.h"

namespace assay::test {
namespace {

// Gives everybody the input and its number, and wants the number squared. Says what it heard.
constexpr const char* kAsksEach = R"(
import sys
text = sys.stdin.read()
assert text == open("input.txt").read()
pairs = [(sys.argv[i], sys.argv[i + 1]) for i in range(1, len(sys.argv), 2)]
right = 0
for number, (source, sink) in enumerate(pairs):
    with open(source) as hears, open(sink, "w") as says:
        print(text.strip(), number, file=says, flush=True)
        right += hears.readline().strip() == str(number * number)
print(right / len(pairs))
print(right, "of", len(pairs), "are right", file=sys.stderr)
)";

const std::string kSquares = "n = int(input().split()[1])\nprint(n * n, flush=True)\n";

judge::Problem problem_with(const std::string& manager, unsigned processes = 2) {
  judge::Problem problem = problem_of({{"six", ""}});
  problem.kind = judge::ProblemKind::Communication;
  problem.manager.emplace().source = in_python(manager);
  problem.processes = processes;
  return problem;
}

class CommunicationTest : public JudgingTest {};

TEST_F(CommunicationTest, TheManagersShareAndItsMessageAreTheResult) {
  NEEDS_METERS();
  judge::JudgeResult result = judge(problem_with(kAsksEach, 4), in_python(kSquares));
  EXPECT_EQ(letters(result), "AC") << result.tests[0].message << result.tests[0].checker_log;
  EXPECT_EQ(result.tests[0].message, "4 of 4 are right");
  EXPECT_EQ(result.score, 100);
  result = judge(problem_with(kAsksEach, 4), in_python("print(1, flush=True)"));
  EXPECT_EQ(letters(result), "PC");
  EXPECT_EQ(result.score, 25);
  result = judge(problem_with(kAsksEach, 4), in_python("print(5, flush=True)"));
  EXPECT_EQ(letters(result), "WA");
  EXPECT_EQ(result.score, 0);
}

TEST_F(CommunicationTest, EveryProcessHasItsNumberAsItsLastArgument) {
  NEEDS_METERS();
  const std::string argument = "import sys\ninput()\nprint(int(sys.argv[1]) ** 2, flush=True)\n";
  EXPECT_EQ(letters(judge(problem_with(kAsksEach, 3), in_python(argument))), "AC");
  // One alone has none.
  const std::string none = "import sys\ninput()\nassert len(sys.argv) == 1\nprint(0, flush=True)\n";
  EXPECT_EQ(letters(judge(problem_with(kAsksEach, 1), in_python(none))), "AC");
}

TEST_F(CommunicationTest, ProcessesOpenFifosByTheirPaths) {
  NEEDS_METERS();
  judge::Problem problem = problem_with(kAsksEach, 3);
  problem.process_io = judge::ProcessIo::Fifo;
  const std::string opens =
      "import sys\nassert sys.stdin.read() == ''\nprint('nobody hears this')\n"
      "with open(sys.argv[1]) as hears, open(sys.argv[2], 'w') as says:\n"
      "    text, n = hears.readline().split()\n"
      "    assert n == sys.argv[3]\n"
      "    print(int(n) ** 2, file=says)\n";
  const judge::JudgeResult result = judge(problem, in_python(opens));
  EXPECT_EQ(letters(result), "AC") << result.tests[0].message << result.tests[0].errors;
  const judge::JudgeResult never = judge(problem, in_python("pass"));
  EXPECT_EQ(letters(never), "WA") << never.tests[0].message;
}

TEST_F(CommunicationTest, ProcessesThatNeverFlushAreHeardAtATerminal) {
  NEEDS_METERS();
  judge::Problem problem = problem_with(kAsksEach, 3);
  problem.process_io = judge::ProcessIo::Terminal;
  const judge::Submission never_flushes = in_c(R"(
#include <stdio.h>
int main(void) {
  int n;
  if (scanf("%*s %d", &n) != 1) return 2;
  printf("%d\n", n * n);
  return getchar() == '\n' && getchar() == EOF ? 0 : 3;
})");
  const judge::JudgeResult result = judge(problem, never_flushes);
  EXPECT_EQ(letters(result), "AC") << result.tests[0].message << result.tests[0].errors;
}

TEST_F(CommunicationTest, AGraderIsCompiledWithTheSubmission) {
  NEEDS_METERS();
  judge::Problem problem = problem_with(kAsksEach, 2);
  problem.process_io = judge::ProcessIo::Fifo;
  problem.graders.push_back(
      {.language = "c",
       .files = {{"stub.c",
                  "#include <stdio.h>\n#include <stdlib.h>\nint square(int n);\n"
                  "int main(int argc, char** argv) {\n"
                  "  if (argc != 4) return 1;\n"
                  "  FILE* hears = fopen(argv[1], \"r\");\n"
                  "  FILE* says = fopen(argv[2], \"w\");\n"
                  "  int n = 0;\n"
                  "  if (fscanf(hears, \"%*s %d\", &n) != 1) return 2;\n"
                  "  fprintf(says, \"%d\\n\", square(n));\n"
                  "  return fclose(says);\n}\n"}},
       .submission = "square.c"});
  EXPECT_EQ(letters(judge(problem, in_c("int square(int n) { return n * n; }"))), "AC");
  EXPECT_EQ(letters(judge(problem, in_c("int square(int n) { return n + 7; }"))), "WA");
}

TEST_F(CommunicationTest, AManagerMayTalkAsTestlib) {
  NEEDS_METERS();
  judge::Problem problem = problem_with(
      "import sys\nheard = open(sys.argv[1]).read()\nassert sys.argv[5] == '-x'\n"
      "sys.stderr.write('wrong answer heard ' + heard)\nsys.exit(1 if heard != 'ok' else 0)");
  problem.manager->protocol = judge::Protocol::Testlib;
  problem.manager->arguments = {"-x"};
  const judge::JudgeResult result = judge(problem, in_python("print('no', end='')"));
  EXPECT_EQ(letters(result), "WA") << result.tests[0].message;
  EXPECT_EQ(letters(judge(problem, in_python("print('ok', end='')"))), "AC");
}

TEST_F(CommunicationTest, TimesAreAddedAndMemoryIsForEach) {
  NEEDS_METERS();
  judge::Problem problem = problem_with(kAsksEach);
  problem.limits.cpu_time = scaled(1s);
  problem.limits.wall_time = scaled(60s);
  problem.limits.memory = 64_MiB;
  const auto burning = [](double seconds) {
    return in_python(
        "import time\nn = int(input().split()[1])\nkeep = bytearray(40 << 20)\n"
        "while time.process_time() < " +
        std::to_string(seconds) + ": pass\nprint(n * n, flush=True)\n");
  };
  const double limit = std::chrono::duration<double>(scaled(1s)).count();
  judge::JudgeResult result = judge(problem, burning(limit * 0.3));
  ASSERT_EQ(letters(result), "AC") << result.tests[0].message;  // 80 MiB in all
  ASSERT_EQ(result.tests[0].processes.size(), 2U);
  const sandbox::Facts& first = result.tests[0].processes[0];
  const sandbox::Facts& second = result.tests[0].processes[1];
  EXPECT_EQ(result.tests[0].facts->cpu_total, first.cpu_total + second.cpu_total);
  EXPECT_EQ(result.tests[0].memory, std::max(first.memory_peak, second.memory_peak));
  EXPECT_GE(result.tests[0].time, scaled(1s) / 2);
  result = judge(problem, burning(limit * 0.7));
  EXPECT_EQ(letters(result), "TLE");
  EXPECT_TRUE(result.tests[0].message.starts_with("all processes together: "))
      << result.tests[0].message;
}

TEST_F(CommunicationTest, WhatWasSaidNamesTheProcess) {
  NEEDS_METERS();
  const judge::JudgeResult result =
      judge(problem_with(kAsksEach), in_python(kSquares), {.dialogue = 64_KiB});
  ASSERT_TRUE(result.tests[0].interaction && result.tests[0].interaction->dialogue);
  EXPECT_TRUE(result.tests[0].interaction->managed);
  EXPECT_EQ(judge::as_interaction(*result.tests[0].interaction->dialogue),
            "0<six 0\n0>0\n1<six 1\n1>1\n");
}

TEST_F(CommunicationTest, WhatProcessesSayOnStderrIsShownWithTheirNumbers) {
  NEEDS_METERS();
  const judge::JudgeResult result =
      judge(problem_with(kAsksEach),
            in_python("import sys\nn = int(input().split()[1])\n"
                      "print('hm', n, file=sys.stderr)\nprint(n * n, flush=True)"));
  EXPECT_EQ(result.tests[0].errors, "process 0:\nhm 0\nprocess 1:\nhm 1\n");
}

TEST_F(CommunicationTest, AManagerThatDoesNotCompileIsRefusedInOneSentence) {
  judge::Problem problem = problem_with("");
  problem.manager->source = in_c("int main(void) { return nothing; }");
  const auto result = try_judge(problem, in_python("pass"));
  ASSERT_FALSE(result);
  EXPECT_TRUE(describe(result.error()).starts_with("the manager does not compile"))
      << describe(result.error());
}

TEST_F(CommunicationTest, ThirtyTwoProcessesHaveRoom) {
  NEEDS_METERS();
  judge::Problem problem = problem_with(kAsksEach, 32);
  problem.limits.cpu_time = scaled(10s);
  problem.limits.memory = 32_MiB;
  problem.process_io = judge::ProcessIo::Fifo;
  const judge::JudgeResult result = judge(problem, in_c(R"(
#include <stdio.h>
int main(int argc, char** argv) {
  FILE* hears = fopen(argv[1], "r");
  FILE* says = fopen(argv[2], "w");
  int n = 0;
  if (argc != 4 || fscanf(hears, "%*s %d", &n) != 1) return 2;
  fprintf(says, "%d\n", n * n);
  return fclose(says);
})"));
  EXPECT_EQ(letters(result), "AC") << result.tests[0].message << result.tests[0].checker_log;
}

// Neither the manager's files nor anybody's processes, FIFOs or descriptors.
TEST_F(CommunicationTest, AProcessReachesNothingButItsTwoFifos) {
  NEEDS_METERS();
  judge::Problem problem = problem_with(kAsksEach);
  problem.process_io = judge::ProcessIo::Fifo;
  const judge::JudgeResult result = judge(problem, in_python(R"(
import os, sys
hears, says, me = sys.argv[1:]
seen = [n for n in ("input.txt", "answer.txt") if os.path.exists(n)]
pids = [int(p) for p in os.listdir("/proc") if p.isdigit()]
fds = {fd: os.stat("/proc/self/fd/" + fd) for fd in os.listdir("/proc/self/fd")
       if os.path.exists("/proc/self/fd/" + fd)}
fifos = [fd for fd, s in fds.items() if int(fd) > 2 and (s.st_mode & 0o170000) == 0o010000]
assert not seen and len(pids) <= 2 and len(fifos) == 2, (seen, pids, fifos)
for path in (hears, says):
    try:
        os.chmod(path, 0)
        assert False, "it may lock others out"
    except OSError:
        pass
for number in range(5, 40):
    try:
        os.open(f"/proc/self/fd/{number}", os.O_RDWR)
        assert False, number
    except OSError:
        pass
text, n = open(hears).readline().split()
print(int(n) ** 2, file=open(says, "w"), flush=True)
)"));
  EXPECT_EQ(letters(result), "AC") << result.tests[0].message << result.tests[0].errors;
}

// It opens its FIFOs the wrong way round, both ways, and many times.
TEST_F(CommunicationTest, AProcessThatAbusesItsFifosHarmsOnlyItself) {
  NEEDS_METERS();
  judge::Problem problem = problem_with(kAsksEach);
  problem.process_io = judge::ProcessIo::Fifo;
  problem.limits.idle_time = 300ms;
  const auto verdict_of = [&](const std::string& body) {
    const judge::JudgeResult result =
        judge(problem, in_python("import os, sys\nhears, says, me = sys.argv[1:]\n" + body));
    return letters(result) + " " + result.tests[0].message;
  };
  // It takes back what it said, or answers itself: nobody else hears that. Who is first, it or the
  // relay, is open; seven is wrong in any case.
  EXPECT_EQ(verdict_of("fd = os.open(says, os.O_RDWR)\nos.write(fd, b'7\\n')\n"
                       "os.read(fd, 1)\n")
                .substr(0, 2),
            "WA");
  const std::string own = verdict_of("fd = os.open(hears, os.O_RDWR)\nwhile True: os.read(fd, 99)");
  EXPECT_EQ(own.substr(0, 3), "ILE") << own;
  const std::string many = verdict_of(
      "keep = [os.open(says, os.O_WRONLY) for _ in range(40)]\n"
      "n = int(open(hears).readline().split()[1])\nos.write(keep[7], b'%d\\n' % (n * n))");
  EXPECT_EQ(many, "AC 2 of 2 are right");
}

TEST_F(CommunicationTest, ACommunicationThatIsCancelledEndsAtOnce) {
  judge::Problem problem = problem_with("import sys\nhears = open(sys.argv[1])\nwhile True: pass");
  problem.limits.cpu_time = 1h;
  problem.manager->limits.cpu_time = 1h;
  const auto begun = std::chrono::steady_clock::now();
  const judge::JudgeResult result =
      judge_until_said(problem, in_python("print(1, flush=True)\nwhile True: pass"));
  EXPECT_EQ(letters(result), "SKIPPED");
  EXPECT_LT(std::chrono::steady_clock::now() - begun, scaled(30s));
}

}  // namespace
}  // namespace assay::test
