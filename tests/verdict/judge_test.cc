#include "verdict/judge.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <string>
#include <vector>

#include "tests/verdict/story.h"

namespace assay::verdict {
namespace {

struct Case {
  Story story;
  std::string letters;
  std::string reason;
};

void expect(const std::string& name, const std::vector<Case>& cases) {
  const Policy rules = policy(name);
  for (const auto& each : cases) {
    const Judgement judgement = judge(facts(each.story), rules);
    EXPECT_EQ(judgement.letters, each.letters) << name << ": " << judgement.reason;
    EXPECT_EQ(judgement.reason, each.reason) << name;
  }
}

TEST(Judge, NamesEveryWayToEnd) {
  expect("assay", {{{}, "AC", "exited normally"},
                   {{.end = Exited{3}}, "RE", "exited with code 3"},
                   {{.end = Signaled{SIGSEGV}}, "RE", "killed by signal 11 (SIGSEGV)"},
                   {{.end = Signaled{SIGKILL}}, "RE", "killed by signal 9 (SIGKILL)"},
                   {{.end = Forbidden{101}}, "RE", "called ptrace, which the profile forbids"},
                   {{.end = NotStarted{"limit", "stack", EINVAL}},
                    "SE",
                    "could not prepare the box: limit 'stack': Invalid argument"},
                   {{.end = NotStarted{"execute", "foo", EACCES}},
                    "RE",
                    "could not execute 'foo': permission denied (is it executable?)"}});
}

TEST(Judge, NamesEveryLimitThatTheEngineActedOn) {
  const sandbox::End killed = Signaled{SIGKILL};
  expect("assay",
         {{{.end = killed, .cut = CutOff::Cpu, .cpu = 1003ms},
           "TLE",
           "used 1.003 s of CPU time, limit 1.000 s"},
          {{.end = killed, .cut = CutOff::Wall, .wall = 3002ms},
           "TLE",
           "ran for 3.002 s of wall time, limit 3.000 s"},
          {{.end = killed, .cut = CutOff::Idle}, "ILE", "no CPU progress for 2.000 s"},
          {{.end = killed, .cut = CutOff::Memory}, "MLE", "needed more than 256.0 MiB of memory"},
          {{.end = killed, .cut = CutOff::Output, .much_output = true},
           "OLE",
           "wrote more than 64.0 MiB to stdout"},
          {{.end = killed, .cut = CutOff::Output, .much_errors = true},
           "OLE",
           "wrote more than 64.0 MiB to stderr"},
          {{.end = killed, .cut = CutOff::Output}, "OLE", "wrote more than 100.0 MiB in all"},
          {{.end = killed, .cut = CutOff::Files}, "OLE", "wrote more than 64.0 MiB to a file"}});
}

TEST(Judge, WhatTheEngineActedOnBeatsWhatWasMeasured) {
  expect("assay",
         {{{.end = Exited{0}, .cut = CutOff::Wall, .wall = 3001ms, .much_output = true},
           "TLE",
           "ran for 3.001 s of wall time, limit 3.000 s"},
          {{.cut = CutOff::Memory, .cpu = 1003ms}, "MLE", "needed more than 256.0 MiB of memory"},
          {{.cut = CutOff::Cpu, .cpu = 1003ms, .oom_kills = 1},
           "TLE",
           "used 1.003 s of CPU time, limit 1.000 s"}});
}

TEST(Judge, MeasuredExcessCountsWhenNobodyActed) {
  expect("assay",
         {{{.cpu = 1001ms}, "TLE", "used 1.001 s of CPU time, limit 1.000 s"},
          {{.end = Exited{1}, .cpu = 1001ms}, "TLE", "used 1.001 s of CPU time, limit 1.000 s"},
          {{.wall = 3001ms}, "TLE", "ran for 3.001 s of wall time, limit 3.000 s"},
          {{.peak = 300_MiB}, "MLE", "used 300.0 MiB of memory, limit 256.0 MiB"},
          {{.cpu = 1001ms, .peak = 300_MiB}, "TLE", "used 1.001 s of CPU time, limit 1.000 s"},
          {{.cpu = 1s, .wall = 3s, .peak = 256_MiB}, "AC", "exited normally"}});
}

TEST(Judge, ASegfaultIsNeverATimeLimit) {
  expect("assay",
         {{{.end = Signaled{SIGSEGV}, .cpu = 990ms}, "RE", "killed by signal 11 (SIGSEGV)"},
          {{.end = Signaled{SIGSEGV}, .cpu = 1002ms}, "RE", "killed by signal 11 (SIGSEGV)"},
          {{.end = Signaled{SIGSEGV}, .wall = 3002ms}, "RE", "killed by signal 11 (SIGSEGV)"}});
  EXPECT_EQ(judge(facts({.end = Signaled{SIGSEGV}}), policy("fuzoj")).letters, "RE");
  EXPECT_EQ(judge(facts({.end = Signaled{SIGSEGV}, .cpu = 1002ms}), policy("rbx")).letters, "TLE");
}

TEST(Judge, AnOutOfMemoryKillIsNeverATimeLimit) {
  for (const char* name : {"assay", "noj", "fuzoj", "rbx", "gojudge", "turingarena"}) {
    const Story story{.end = Signaled{SIGKILL}, .cpu = 1002ms, .user = 1001ms, .oom_kills = 1};
    EXPECT_EQ(judge(facts(story), policy(name)).verdict, Verdict::MemoryLimit) << name;
  }
}

TEST(Judge, AKilledChildAloneIsAMemoryLimit) {
  const std::string reason = "a process that it started needed more than 256.0 MiB of memory";
  expect("assay",
         {{{.oom_kills = 1}, "MLE", reason}, {{.end = Exited{1}, .oom_kills = 1}, "MLE", reason}});
}

TEST(Judge, AProgramTooBigToLoadIsAMemoryLimit) {
  expect("assay", {{{.end = NotStarted{"execute", "a", ENOMEM}, .oom_kills = 1},
                    "MLE",
                    "needed more than 256.0 MiB of memory"},
                   {{.end = NotStarted{"execute", "a", ENOMEM}},
                    "RE",
                    "could not execute 'a': it does not fit into the memory limit"}});
}

TEST(Judge, AnExecThatTheHostFailedIsNotTheProgramsFault) {
  expect("assay", {{{.end = NotStarted{"execute", "a", EIO}},
                    "SE",
                    "could not execute 'a': Input/output error"},
                   {{.end = NotStarted{"execute", "a", ENFILE}},
                    "SE",
                    "could not execute 'a': Too many open files in system"}});
}

TEST(Judge, TooMuchOutputIsTheVerdictWhateverTheExitCode) {
  expect("assay",
         {{{.much_output = true}, "OLE", "wrote more than 64.0 MiB to stdout"},
          {{.end = Exited{1}, .big_file = true}, "OLE", "wrote more than 64.0 MiB to a file"},
          {{.end = Signaled{SIGXFSZ}}, "OLE", "wrote more than 64.0 MiB to a file"}});
}

// Part C of the checklist; rbx alone counts both streams (C-10).
TEST(Judge, StderrDoesNotCountToTheOutputLimitByDefault) {
  for (const char* name : {"assay", "noj", "fuzoj"})
    EXPECT_EQ(judge(facts({.much_errors = true}), policy(name)).letters, "AC") << name;
  expect("rbx",
         {{{.end = Exited{1}, .much_errors = true}, "OLE", "wrote more than 64.0 MiB to stderr"}});
  const Judgement file = judge(facts({.much_errors = true, .big_file = true}), policy("assay"));
  EXPECT_EQ(file.letters, "OLE");
  EXPECT_EQ(file.reason, "wrote more than 64.0 MiB to a file");
}

TEST(Judge, DeathBySigxcpuIsATimeLimitOnlyBehindTheLimit) {
  Facts death = facts({.end = Signaled{SIGXCPU}});
  EXPECT_EQ(judge(death, policy("assay")).letters, "RE");
  death.cpu_total = *death.limits.cpu_time + std::chrono::seconds(1);
  for (const char* name : {"assay", "noj", "fuzoj", "rbx", "gojudge", "turingarena"})
    EXPECT_EQ(judge(death, policy(name)).letters, "TLE") << name;
}

TEST(Judge, ARunThatWasStoppedSaysNothingAboutTheProgram) {
  const sandbox::End killed = Signaled{SIGKILL};
  expect("assay",
         {{{.end = killed, .cut = CutOff::Cancelled}, "SKIPPED", "cancelled"},
          {{.end = killed, .cut = CutOff::Terminated}, "SKIPPED", "terminated by the caller"},
          {{.end = NotStarted{"request", "", EPIPE}, .cut = CutOff::Shutdown},
           "SKIPPED",
           "stopped because the engine was shutting down"},
          {{.end = killed, .cut = CutOff::Peer, .cpu = 2s},
           "SKIPPED",
           "stopped because another program of its group had ended"}});
}

TEST(Judge, FileErrorsChangeTheVerdictOnlyWhereThePolicySaysSo) {
  const Story story{.file_errors = {{.name = "out.txt", .why = "no such file", .error = ENOENT}}};
  expect("assay", {{story, "AC", "exited normally"}});
  expect("gojudge", {{story, "SE", "file 'out.txt': no such file"}});
}

TEST(Judge, WallTimeWithTooMuchCpuTimeIsNotIdleness) {
  const Story busy{.cut = CutOff::Wall, .cpu = 1500ms, .wall = 3001ms};
  expect("rbx", {{busy, "TLE", "used 1.500 s of CPU time, limit 1.000 s"}});
}

TEST(Judge, SpeaksOfLimitsThatNobodyKnowsWithoutNumbers) {
  Facts killed = facts({.end = Signaled{SIGKILL}, .cut = CutOff::Output, .much_output = true});
  killed.limits = {};
  EXPECT_EQ(judge(killed, policy("assay")).reason, "wrote more than allowed to stdout");
  killed.cut_off_by = CutOff::Cpu;
  EXPECT_EQ(judge(killed, policy("assay")).reason, "used 300.00 ms of CPU time");
}

}  // namespace
}  // namespace assay::verdict
