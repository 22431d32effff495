// How programs end by themselves, and what is said about those that never began.
#include <csignal>

#include "tests/support/box_test.h"

namespace assay::test {
namespace {

using sandbox::CutOff;
using sandbox::Exited;
using sandbox::NotStarted;
using sandbox::Signaled;
using Ends = BoxTest;

TEST_F(Ends, AnExitCodeIsReportedAsItIs) {
  for (const int code : {0, 1, 42, 127, 128, 137, 255}) {
    const Outcome outcome = run({.guest = "exit_code", .arguments = {std::to_string(code)}});
    EXPECT_TRUE(ended_as(outcome, Exited{code})) << outcome;
    EXPECT_EQ(outcome.letters, code == 0 ? "AC" : "RE") << outcome;
    EXPECT_EQ(outcome.facts.cut_off_by, CutOff::None);
  }
}

TEST_F(Ends, AnAbortIsSignalSixWithoutACore) {
  const Outcome outcome = run({.guest = "abort_self"});
  EXPECT_TRUE(ended_as(outcome, Signaled{SIGABRT, false})) << outcome;
  EXPECT_EQ(outcome.letters, "RE");
}

TEST_F(Ends, ASegmentationFaultIsSignalEleven) {
  const Outcome outcome = run({.guest = "segfault"});
  EXPECT_TRUE(ended_as(outcome, Signaled{SIGSEGV, false})) << outcome;
  EXPECT_EQ(outcome.letters, "RE");
}

TEST_F(Ends, AProgramThatKillsItselfIsARuntimeErrorAndNoLimit) {
  const Outcome outcome = run({.guest = "kill_self"});
  EXPECT_TRUE(ended_as(outcome, Signaled{SIGKILL, false})) << outcome;
  EXPECT_EQ(outcome.facts.cut_off_by, CutOff::None);
  EXPECT_EQ(outcome.letters, "RE") << outcome;
}

TEST_F(Ends, EverySignalThatEndsAProgramIsNamed) {
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGFPE, SIGPIPE, SIGTERM, SIGUSR1, SIGBUS}) {
    const Outcome outcome = run({.guest = "kill_self", .arguments = {std::to_string(signal)}});
    EXPECT_TRUE(ended_as(outcome, Signaled{signal, false})) << outcome;
    EXPECT_EQ(outcome.letters, "RE") << outcome;
  }
}

TEST_F(Ends, APythonProgramPrints) {
  const Outcome outcome = run({.arguments = {"python3", "-c", "print('hello')"}});
  EXPECT_TRUE(ended_as(outcome, Exited{0})) << outcome;
  EXPECT_EQ(outcome.output, "hello\n");
}

TEST_F(Ends, APythonProgramRunsUnderTheStrictProfile) {
  const Outcome outcome =
      run({.arguments = {"python3", "-c", "print(sum(range(10)))"}, .profile = "python"});
  EXPECT_TRUE(ended_as(outcome, Exited{0})) << outcome;
  EXPECT_EQ(outcome.output, "45\n");
}

TEST_F(Ends, AShellScriptRunsByItsFirstLine) {
  const Outcome outcome = run({.arguments = {"./script", "x"},
                               .files_in = {{"script", "#!/bin/sh\necho $1; exit 5\n", true}}});
  EXPECT_TRUE(ended_as(outcome, Exited{5})) << outcome;
  EXPECT_EQ(outcome.output, "x\n");
}

void expect_not_started(const Outcome& outcome, const std::string& what, int error) {
  EXPECT_TRUE(ended_as(outcome, NotStarted{"execute", what, error})) << outcome;
  EXPECT_EQ(outcome.letters, "RE") << outcome;
}

TEST_F(Ends, AMissingProgramIsNamed) {
  expect_not_started(run({.arguments = {"./nothing"}}), "./nothing", ENOENT);
  expect_not_started(run({.arguments = {"no-such-program"}}), "no-such-program", ENOENT);
}

TEST_F(Ends, AFileThatIsNotExecutableIsNamed) {
  expect_not_started(run({.arguments = {"./data"}, .files_in = {{"data", "text"}}}), "./data",
                     EACCES);
}

TEST_F(Ends, ADirectoryIsNoProgram) {
  expect_not_started(run({.arguments = {"/usr"}}), "/usr", EACCES);
}

TEST_F(Ends, AnExecutableFileOfNoKnownFormatIsNamed) {
  expect_not_started(run({.arguments = {"./data"}, .files_in = {{"data", "text", true}}}), "./data",
                     ENOEXEC);
}

TEST_F(Ends, AMissingInterpreterIsNamed) {
  expect_not_started(
      run({.arguments = {"./script"}, .files_in = {{"script", "#!/no/such\n", true}}}), "./script",
      ENOENT);
}

TEST_F(Ends, AfterAFailedStartTheBoxRunsTheNextProgram) {
  for (int round = 0; round < 3; ++round) {
    expect_not_started(run({.arguments = {"./nothing"}}), "./nothing", ENOENT);
    EXPECT_EQ(run({.guest = "exit_code"}).letters, "AC");
  }
}

TEST_F(Ends, AnEmptyArgvIsAnInvalidRequest) {
  for (const auto& argv : {std::vector<std::string>{}, std::vector<std::string>{""}}) {
    const auto outcome = try_run({.arguments = argv});
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().fault, Fault::InvalidRequest);
  }
}

}  // namespace
}  // namespace assay::test
