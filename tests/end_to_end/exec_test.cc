// `assay exec` as its users see it: verdicts, files, exit codes, JSON.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/end_to_end/command.h"

namespace assay::test {
namespace {

Ran exec(const std::vector<std::string>& arguments, std::string_view input = "") {
  return run_command(exec_command(arguments), input);
}

TEST(Exec, PassesStdinStdoutAndStderrThrough) {
  const Ran ran = exec({"--quiet", "--", "/bin/sh", "-c", "cat; echo oops >&2"}, "hello\n");
  EXPECT_EQ(ran.out, "hello\n");
  EXPECT_EQ(ran.err, "oops\n");
  EXPECT_EQ(ran.code, 0);
}

// Its directories and cgroups are made by a plain user, who cannot enter what is closed to him.
TEST(Exec, AMaskThatClosesEverythingIsNotForWhatTheEngineMakes) {
  const Scratch home;
  if (::geteuid() == 0) {
    ASSERT_EQ(::chown(home.path().c_str(), 54321, 54321), 0);
  }
  const std::string command = "umask 0777; XDG_RUNTIME_DIR=" + home.path() + " exec " +
                              assay_binary() + " exec --allow-degraded --quiet -- /bin/sh -c umask";
  std::vector<std::string> argv{"/bin/sh", "-c", command};
  if (::geteuid() == 0)
    argv.insert(argv.begin(),
                {"/usr/bin/setpriv", "--reuid=54321", "--regid=54321", "--clear-groups"});
  const Ran ran = run_command(argv);
  EXPECT_EQ(ran.out, "0022\n") << ran.err;
  EXPECT_EQ(ran.code, 0) << ran.err;
}

TEST(Exec, AVerdictOtherThanAcceptedIsExitCodeOne) {
  EXPECT_EQ(exec({"--quiet", "--", "/bin/sh", "-c", "exit 7"}).code, 1);
  EXPECT_EQ(exec({"--quiet", "--", "/bin/true"}).code, 0);
}

TEST(Exec, JsonIsOneObjectAndNothingElseOnStdout) {
  const Ran ran = exec({"--json", "--", "/bin/sh", "-c", "echo noise; exit 3"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.out.front(), '{');
  EXPECT_EQ(ran.out.find('\n'), ran.out.size() - 1);
  EXPECT_EQ(json_field(ran.out, "verdict"), "RE");
  EXPECT_EQ(json_field(ran.out, "end"), "exited");
  EXPECT_EQ(json_field(ran.out, "code"), "3");
  EXPECT_EQ(json_field(ran.out, "stdout_bytes"), "6");
  EXPECT_EQ(json_field(ran.out, "cut_off_by"), "none");
  for (const char* key :
       {"reason", "signal", "syscall", "cpu_ns", "cpu_user_ns", "cpu_system_ns", "wall_ns",
        "memory_peak_bytes", "memory_meter", "oom_kills", "processes_peak", "stderr_bytes", "box"})
    EXPECT_NE(json_field(ran.out, key), "(absent)") << key;
}

TEST(Exec, JsonIsReadByAJsonParserWhateverTheProgramPrints) {
  const Ran ran =
      exec({"--json", "--stderr", "/dev/null", "--", "/bin/sh", "-c", "printf '\\377\\033[31m\"'"});
  const Ran parsed =
      run_command({"/usr/bin/python3", "-c",
                   "import json,sys; print(json.load(sys.stdin)['facts']['stdout_bytes'])"},
                  ran.out);
  EXPECT_EQ(parsed.out, "7\n");
}

TEST(Exec, PutsFilesInWithTheirExecutableBitAndTakesFilesOut) {
  const Scratch scratch;
  const std::string script = scratch.write("script", "#!/bin/sh\ncat data > result\n", 0755);
  const std::string data = scratch.write("data", "some data");
  const Ran ran = exec({"--quiet", "--in", "run me=" + script, "--in", "data=" + data, "--out",
                        "result=" + scratch.path() + "/out", "--", "./run me"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(content_of(scratch.path() + "/out"), "some data");
}

TEST(Exec, WritesStreamsToFilesAndToDevNull) {
  const Scratch scratch;
  const Ran ran = exec({"--json", "--stdout", scratch.path() + "/o", "--stderr", "/dev/null", "--",
                        "/bin/sh", "-c", "echo a; echo b >&2"});
  EXPECT_EQ(content_of(scratch.path() + "/o"), "a\n");
  EXPECT_EQ(json_field(ran.out, "stderr_bytes"), "2");
  EXPECT_EQ(exec({"--json", "--stdout", "/dev/null", "--", "/bin/echo", "x"}).code, 0);
}

TEST(Exec, TheEnvironmentIsTheProfilesAndWhatWasAsked) {
  const Ran ran = exec(
      {"--quiet", "--env", "GREETING=hello world", "--env", "HOME=/tmp", "--", "/usr/bin/env"});
  EXPECT_NE(ran.out.find("GREETING=hello world\n"), std::string::npos);
  EXPECT_NE(ran.out.find("HOME=/tmp\n"), std::string::npos);
  EXPECT_EQ(ran.out.find("ASSAY"), std::string::npos);
}

TEST(Exec, OfTwoVariablesWithOneNameTheLastCounts) {
  const Ran ran = exec({"--quiet", "--env", "A=1", "--env", "AB=3", "--env", "A=2", "--", "/bin/sh",
                        "-c", "env | grep -E '^AB?='"});
  EXPECT_EQ(ran.out, "AB=3\nA=2\n");
}

TEST(Exec, StdinCanBeNamedAsOurs) {
  EXPECT_EQ(exec({"--quiet", "--stdin", "-", "--", "/bin/cat"}, "text").out, "text");
}

TEST(Exec, TheSameFactsHaveOtherLettersUnderAnotherPolicy) {
  const auto verdict = [](const char* policy) {
    return json_field(exec({"--json", "--policy", policy, "--", "/bin/sh", "-c", "exit 1"}).out,
                      "verdict");
  };
  EXPECT_EQ(verdict("assay"), "RE");
  EXPECT_EQ(verdict("rbx"), "RTE");
}

TEST(Exec, RunsOnTheCoresItWasTold) {
  const Ran ran = exec({"--quiet", "--cores", "0", "--", "/usr/bin/nproc"});
  EXPECT_EQ(ran.out, "1\n");
}

TEST(Exec, ShoutsThatAProgramWasNotIsolated) {
  const Ran ran = exec({"--profile", "none", "--", "/bin/true"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.err.find("NOT ISOLATED"), std::string::npos);
  EXPECT_EQ(json_field(exec({"--json", "--profile", "none", "--", "/bin/true"}).out, "box"),
            "none");
}

TEST(Exec, RootsUnisolatedProgramIsNobody) {
  const Ran ran = exec({"--quiet", "--profile", "none", "--", "/usr/bin/id", "-u"});
  EXPECT_NE(ran.out, "0\n");
}

}  // namespace
}  // namespace assay::test
