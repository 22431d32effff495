// Interactive problems through the whole pipeline.
#include <thread>

#include "judge/dialogue.h"
#include "tests/judging/fixture.h"

namespace assay::test {
namespace {

using verdict::Verdict;

class InteractiveTest : public JudgingTest {
 protected:
  static judge::Problem problem_with(const std::string& interactor) {
    judge::Problem problem = problem_of({{"6", "7"}});
    problem.kind = judge::ProblemKind::Interactive;
    problem.interactor.emplace().source = in_python(interactor);
    return problem;
  }
};

constexpr const char* kWritesWhatItHears =
    "import sys\n"
    "print(open(sys.argv[1]).read(), flush=True)\n"
    "open(sys.argv[2], 'w').write(sys.stdin.readline())\n"
    "sys.stderr.write('ok heard')\n";

const std::string kAddsOne = "print(int(input()) + 1)";

TEST_F(InteractiveTest, ACheckerJudgesWhatTheInteractorWrote) {
  NEEDS_METERS();
  judge::Problem problem = problem_with(kWritesWhatItHears);
  problem.has_own_checker = true;
  EXPECT_EQ(letters(judge(problem, in_python(kAddsOne))), "AC");
  EXPECT_EQ(letters(judge(problem, in_python("print(int(input()) + 2)"))), "WA");
  problem.has_own_checker = false;  // the interactor's word is the last
  const judge::JudgeResult result = judge(problem, in_python("print(int(input()) + 2)"));
  EXPECT_EQ(letters(result), "AC");
  EXPECT_EQ(result.tests[0].message, "ok heard");
  EXPECT_EQ(result.tests[0].checker_log, "ok heard");
}

TEST_F(InteractiveTest, AnErrorThatTheInteractorsRuntimeReportsIsTheJudgesFailure) {
  NEEDS_METERS();
  const judge::JudgeResult result =
      judge(problem_with("print(6, flush=True)\ninput()\n1 / 0"), in_python(kAddsOne));
  EXPECT_EQ(letters(result), "JE") << result.tests[0].message;
  EXPECT_TRUE(result.tests[0].message.starts_with("the interactor ended with an error"))
      << result.tests[0].message;
}

// The line alone was enough to make a wrong answer the judge's failure.
TEST_F(InteractiveTest, AnAnswerThatTheInteractorRepeatsIsNotItsCrash) {
  NEEDS_METERS();
  const judge::Problem problem = problem_with(
      "import sys\n"
      "print(6, flush=True)\n"
      "heard = sys.stdin.read().strip().splitlines()[-1]\n"
      "sys.stderr.write(heard + '\\n')\n"
      "sys.exit(1)\n");
  const std::string sign = "input(); print('Traceback (most recent call last):'";
  for (const char* more : {" + '')", " + '  ')",
                           "); print('x' * 2000000); print('Traceback "
                           "(most recent call last):')"}) {
    const judge::JudgeResult result = judge(problem, in_python(sign + more));
    EXPECT_EQ(letters(result), "WA") << more << result.tests[0].message;
  }
}

TEST_F(InteractiveTest, AnInteractorThatSleepsIsNotTheSolutionsFault) {
  NEEDS_METERS();
  const judge::JudgeResult result =
      judge(problem_with("import time\nprint(6, flush=True)\ninput()\ntime.sleep(60)\nprint(0)"),
            in_python(kAddsOne + "\ninput()"));
  EXPECT_EQ(letters(result), "JE") << result.tests[0].message;
  EXPECT_TRUE(result.tests[0].message.starts_with("the interactor sleeps"))
      << result.tests[0].message;
  const judge::JudgeResult timer =
      judge(problem_with("import threading, time\n"
                         "threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
                         "print(6, flush=True)\ninput()\ninput()"),
            in_python(kAddsOne + "\ninput()"));
  EXPECT_EQ(letters(timer), "ILE") << timer.tests[0].message;  // it waits, whatever its timers do
  const judge::JudgeResult other =
      judge(problem_with("print(6, flush=True)\ninput()\ninput()"),
            in_python("import time\n" + kAddsOne + "\ntime.sleep(60)"));
  EXPECT_EQ(letters(other), "ILE") << other.tests[0].message;
}

TEST_F(InteractiveTest, WhatWasSaidIsInTheResultWhenSomebodyAsks) {
  NEEDS_METERS();
  const judge::Problem problem = problem_with(kWritesWhatItHears);
  const auto solution = in_python(
      "import sys\nn = int(input())\nprint('hm', file=sys.stderr, "
      "flush=True)\nprint(n + 1)");
  judge::JudgeResult result = judge(problem, solution, {.dialogue = 64_KiB});
  ASSERT_TRUE(result.tests[0].interaction && result.tests[0].interaction->dialogue);
  const exec::Dialogue& dialogue = *result.tests[0].interaction->dialogue;
  // Two pipes of one program: what comes out of them at about the same time has no order.
  const std::string said = judge::as_interaction(dialogue);
  EXPECT_TRUE(said == "<6\n!hm\n>7\n" || said == "<6\n>7\n!hm\n") << said;
  EXPECT_EQ(result.tests[0].errors, "hm\n");
  result = judge(problem, solution);
  ASSERT_TRUE(result.tests[0].interaction);
  EXPECT_FALSE(result.tests[0].interaction->dialogue);
}

TEST_F(InteractiveTest, AnInteractorMayGivePoints) {
  NEEDS_METERS();
  const judge::JudgeResult result =
      judge(problem_with("import sys\nsys.stderr.write('partially correct (50) half')\n"
                         "sys.stderr.flush()\nsys.exit(66)"),
            in_python("pass"));
  EXPECT_EQ(letters(result), "PC") << result.tests[0].message;
  EXPECT_EQ(result.tests[0].share, 0.5);
}

TEST_F(InteractiveTest, AnInteractorThatDoesNotCompileIsRefusedInOneSentence) {
  judge::Problem problem = problem_with("");
  problem.interactor->source = in_c("int main(void) { return nothing; }");
  const auto result = try_judge(problem, in_python("pass"));
  ASSERT_FALSE(result);
  EXPECT_TRUE(describe(result.error()).starts_with("the interactor does not compile"))
      << describe(result.error());
}

TEST_F(InteractiveTest, WhatAnInteractorSaysIsCutAndMadeSafe) {
  NEEDS_METERS();
  const judge::JudgeResult result = judge(
      problem_with("import sys\nsys.stderr.write('\\x1b[2Jwrong ' + 'x' * 5000)\nsys.exit(1)"),
      in_python("pass"));
  EXPECT_EQ(letters(result), "WA");
  EXPECT_TRUE(result.tests[0].message.starts_with("\\x1b[2Jwrong xxx")) << result.tests[0].message;
  EXPECT_LT(result.tests[0].message.size(), 1100U);
}

// It has neither files of the interactor nor a process of it to see or to signal.
TEST_F(InteractiveTest, TheSolutionCannotReachTheInteractor) {
  NEEDS_METERS();
  const judge::JudgeResult result =
      judge(problem_with(kWritesWhatItHears),
            in_python("import os\n"
                      "seen = [n for n in ('input.txt', 'answer.txt', 'output.txt') "
                      "if os.path.exists(n)]\n"
                      "pids = [int(p) for p in os.listdir('/proc') if p.isdigit()]\n"
                      "assert not seen and len(pids) <= 2, (seen, pids)\n" +
                      kAddsOne));
  EXPECT_EQ(letters(result), "AC") << result.tests[0].errors;
  const judge::JudgeResult killer =
      judge(problem_with(kWritesWhatItHears), in_python("import os\nos.kill(-1, 9)"));
  EXPECT_EQ(letters(killer), "RE") << killer.tests[0].message;
}

TEST_F(InteractiveTest, AProgramThatNeverFlushesIsHeardAtATerminal) {
  NEEDS_METERS();
  judge::Problem problem = problem_with(
      "import sys\n"
      "for i in range(100):\n"
      "  print(i, flush=True)\n"
      "  if int(input()) != 2 * i: sys.exit(1)\n");
  problem.limits.idle_time = scaled(400ms);
  const judge::Submission solution = in_c(R"(
#include <stdio.h>
int main(void) { for (int i; scanf("%d", &i) == 1;) printf("%d\n", 2 * i); })");
  EXPECT_EQ(letters(judge(problem, solution)), "ILE");
  problem.process_io = judge::ProcessIo::Terminal;
  const judge::JudgeResult result = judge(problem, solution, {.dialogue = 64_KiB});
  EXPECT_EQ(letters(result), "AC") << result.tests[0].message;
  EXPECT_EQ(judge::as_pout(*result.tests[0].interaction->dialogue).substr(0, 6), "0\n2\n4\n");
}

// No echo, no signal, no carriage return; and the end of one direction is neither the end of the
// other nor of what is still to be read.
TEST_F(InteractiveTest, ATerminalChangesNoByteAndEndsOneDirectionAlone) {
  NEEDS_METERS();
  judge::Problem problem = problem_with(
      "import os, sys\n"
      "said = bytes(range(256)) * 400\n"
      "sys.stdout.buffer.write(said); sys.stdout.flush(); os.close(1)\n"
      "heard = sys.stdin.buffer.read()\n"
      "sys.stderr.write(f'{len(heard)} bytes')\n"
      "os._exit(0 if heard == said else 1)\n");
  problem.process_io = judge::ProcessIo::Terminal;
  const judge::JudgeResult result = judge(problem, in_c(R"(
#include <unistd.h>
static char all[1 << 20];
int main(void) {
  long size = 0, got;
  if (!isatty(0) || !isatty(1) || isatty(2)) return 3;
  for (volatile long i = 0; i < 100000000; ++i) {}
  while ((got = read(0, all + size, 1000)) > 0) size += got;
  for (long done = 0; done < size;) done += write(1, all + done, size - done);
})"));
  EXPECT_EQ(letters(result), "AC") << result.tests[0].message;
}

// Whoever waits when the interactor has said its last sees an end and no error, and sees it again.
TEST_F(InteractiveTest, TheEndOfATerminalIsAnEnd) {
  NEEDS_METERS();
  judge::Problem problem = problem_with(
      "import os, sys\n"
      "for line in ('1', 'x' * 200000, '2'):\n"
      "  print(line, flush=True)\n"
      "  if int(input()) != len(line): sys.exit(1)\n"
      "os.close(1)\n"
      "sys.exit(0 if sys.stdin.readline() == 'end\\n' else 1)\n");
  problem.process_io = judge::ProcessIo::Terminal;
  const judge::Submission in_lines = in_python(
      "import sys\n"
      "for line in sys.stdin: print(len(line.rstrip()))\n"
      "assert sys.stdin.read() == '' and sys.stdin.readline() == ''\n"
      "print('end')\n");
  judge::Submission by_stream = in_c(R"(
#include <iostream>
#include <string>
int main() {
  std::ios::sync_with_stdio(false);
  std::string line;
  while (std::getline(std::cin, line)) std::cout << line.size() << std::endl;
  if (!std::cin.eof() || std::cin.bad()) return 3;
  std::cout << "end" << std::endl;
})");
  by_stream.language = "cpp";
  for (int i = 0; i < 5; ++i)
    for (const judge::Submission& solution : {in_lines, by_stream}) {
      const judge::JudgeResult result = judge(problem, solution);
      EXPECT_EQ(letters(result), "AC") << result.tests[0].message << result.tests[0].errors;
    }
}

// Strict filters refuse what it asks of its terminal, and it lives.
TEST_F(InteractiveTest, AProgramMayTryToSetUpItsTerminal) {
  NEEDS_METERS();
  judge::Problem problem = problem_with(
      "import os, sys\n"
      "print('abc', flush=True)\n"
      "if int(input()) != 3: sys.exit(1)\n"
      "os.close(1)\n"
      "sys.exit(0 if sys.stdin.readline() == 'end\\n' else 1)\n");
  problem.process_io = judge::ProcessIo::Terminal;
  const judge::Submission sets_it_up = in_python(
      "import termios\n"
      "try:\n"
      "  while True: print(len(input()))\n"
      "except EOFError: pass\n"
      "for call in (lambda: termios.tcflush(0, termios.TCIFLUSH), lambda: termios.tcdrain(1)):\n"
      "  try: call()\n"
      "  except termios.error: pass\n"
      "print('end')\n");
  const judge::JudgeResult result = judge(problem, sets_it_up);
  EXPECT_EQ(letters(result), "AC") << result.tests[0].message << result.tests[0].errors;
}

TEST_F(InteractiveTest, ADialogueThatIsCancelledEndsAtOnce) {
  judge::Problem problem = problem_with("while True: pass");
  problem.limits.cpu_time = 1h;
  problem.interactor->limits.cpu_time = 1h;
  const auto begun = std::chrono::steady_clock::now();
  const judge::JudgeResult result =
      judge_until_said(problem, in_python("print(1, flush=True)\nwhile True: pass"));
  EXPECT_EQ(letters(result), "SKIPPED");
  EXPECT_LT(std::chrono::steady_clock::now() - begun, scaled(30s));
}

}  // namespace
}  // namespace assay::test
