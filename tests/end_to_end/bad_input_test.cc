// Every mistake a user can make: exit code 2, one clear line on stderr, nothing left behind.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "tests/end_to_end/command.h"

namespace assay::test {
namespace {

// What was asked is refused in one line that contains `word`, and stdout stays empty.
void expect_refused(const std::vector<std::string>& arguments, const std::string& word) {
  std::string asked;
  for (const std::string& argument : arguments)
    asked += argument + " ";
  const Ran ran = run_command(exec_command(arguments));
  EXPECT_EQ(ran.code, 2) << asked << ran.err;
  EXPECT_EQ(ran.out, "") << asked;
  EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << asked << ran.err;
  EXPECT_NE(ran.err.find(word), std::string::npos) << asked << ran.err;
}

struct Mistake {
  std::vector<std::string> options;
  const char* word;
};

class BadOption : public testing::TestWithParam<Mistake> {};

TEST_P(BadOption, IsRefusedWithTheReason) {
  std::vector<std::string> arguments{"--quiet"};
  arguments.insert(arguments.end(), GetParam().options.begin(), GetParam().options.end());
  arguments.insert(arguments.end(), {"--", "/bin/true"});
  expect_refused(arguments, GetParam().word);
}

INSTANTIATE_TEST_SUITE_P(
    Exec, BadOption,
    testing::Values(
        Mistake{{"--profile", "nosuch"}, "nosuch"},
        Mistake{{"--profile", "../default"}, "../default"},
        Mistake{{"--policy", "nosuch"}, "nosuch"}, Mistake{{"--cpu", "5"}, "--cpu"},
        Mistake{{"--cpu", "-1s"}, "--cpu"}, Mistake{{"--cpu", "0s"}, "--cpu"},
        Mistake{{"--cpu", "99999999999h"}, "--cpu"}, Mistake{{"--memory", "12parsecs"}, "--memory"},
        Mistake{{"--memory", "-5"}, "--memory"},
        Mistake{{"--memory", "99999999999999999999"}, "--memory"},
        Mistake{{"--memory", "0"}, "--memory"}, Mistake{{"--processes", "0"}, "--processes"},
        Mistake{{"--processes", "many"}, "--processes"}, Mistake{{"--cores", "x"}, "--cores"},
        Mistake{{"--cores", "5-1"}, "--cores"}, Mistake{{"--cores", "99999"}, "--cores"},
        Mistake{{"--cores", "1000"}, "core 1000"}, Mistake{{"--cpu", ""}, "--cpu"},
        Mistake{{"--wall", ""}, "--wall"}, Mistake{{"--idle", ""}, "--idle"},
        Mistake{{"--memory", ""}, "--memory"}, Mistake{{"--memory="}, "--memory"},
        Mistake{{"--stack", ""}, "--stack"}, Mistake{{"--address-space", ""}, "--address-space"},
        Mistake{{"--output", ""}, "--output"}, Mistake{{"--disk", ""}, "--disk"},
        Mistake{{"--inodes", ""}, "--inodes"}, Mistake{{"--processes", ""}, "--processes"},
        Mistake{{"--open-files", ""}, "--open-files"}, Mistake{{"--cores", ""}, "--cores"},
        Mistake{{"--stdin", ""}, "--stdin"}, Mistake{{"--stdout", ""}, "--stdout"},
        Mistake{{"--stderr", ""}, "--stderr"}, Mistake{{"--mount", "/etc"}, "HOSTPATH=TARGET"},
        Mistake{{"--in", "x=/dev/zero"}, "regular"}, Mistake{{"--stdin", "/no/such"}, "/no/such"},
        Mistake{{"--stdin", "/tmp"}, "directory"},
        Mistake{{"--stdout", "/no/such/dir/x"}, "--stdout"},
        Mistake{{"--in", "noequals"}, "NAME=FILE"}, Mistake{{"--in", "x=/no/such"}, "/no/such"},
        Mistake{{"--in", "x=/tmp"}, "directory"}, Mistake{{"--in", "../x=/etc/hostname"}, ".."},
        Mistake{{"--in", "a/../../x=/etc/hostname"}, ".."},
        Mistake{{"--in", "/usr/x=/etc/hostname"}, "/usr/x"},
        Mistake{{"--out", "x=/no/such/dir/y"}, "/no/such/dir/y"},
        Mistake{{"--out", "../x=/tmp/y"}, ".."}, Mistake{{"--out", "x=/tmp"}, "directory"},
        Mistake{{"--env", "NOVALUE"}, "NOVALUE"}, Mistake{{"--mount", "/etc=/etc2"}, "/etc"},
        Mistake{{"--mount-writable", "/tmp=/t"}, "/tmp"}, Mistake{{"--nosuch"}, "--nosuch"}));

TEST(BadProgram, ThatDoesNotExistIsNamed) {
  expect_refused({"--quiet", "--", "/no/such/program"}, "/no/such/program");
}
TEST(BadProgram, ThatIsOnNoPathIsNamed) {
  expect_refused({"--quiet", "--", "nosuchprogram"}, "nosuchprogram");
}
TEST(BadProgram, ThatIsADirectoryIsNamed) {
  expect_refused({"--quiet", "--", "/usr"}, "/usr");
}
TEST(BadProgram, ThatIsNotExecutableIsNamed) {
  const Scratch scratch;
  expect_refused({"--quiet", "--in", "p=" + scratch.write("p", "#!/bin/sh\n"), "--", "./p"}, "./p");
}
TEST(BadProgram, ThatHasNoKnownFormatIsNamed) {
  const Scratch scratch;
  expect_refused({"--quiet", "--in", "p=" + scratch.write("p", "\x01\x02", 0755), "--", "./p"},
                 "./p");
}
TEST(BadProgram, NoProgramAtAllIsAUsageError) {
  const Ran ran = run_command({assay_binary(), "exec"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
}
TEST(BadProgram, ANotStartedReportSaysWhichStepFailedAndWhy) {
  const Ran ran = run_command(exec_command({"--json", "--", "/no/such/program"}));
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(json_field(ran.out, "end"), "not_started");
  EXPECT_EQ(json_field(ran.out, "step"), "execute");
  EXPECT_EQ(json_field(ran.out, "errno"), "2");
}

// The program makes something that must not be copied out; the host file must not appear.
void expect_not_taken_out(const std::string& script, const std::string& word) {
  const Scratch scratch;
  const Ran ran = run_command(exec_command(
      {"--quiet", "--out", "x=" + scratch.path() + "/y", "--", "/bin/sh", "-c", script}));
  EXPECT_EQ(ran.code, 2) << script << ran.err;
  EXPECT_NE(ran.err.find(word), std::string::npos) << ran.err;
  EXPECT_TRUE(scratch.names().empty()) << script;
}

TEST(BadOutput, AMissingFileIsSaidSo) {
  expect_not_taken_out("true", "does not exist");
}
TEST(BadOutput, ALinkIsNotFollowed) {
  expect_not_taken_out("ln -s /etc/passwd x", "link");
}
TEST(BadOutput, AFifoDoesNotBlock) {
  expect_not_taken_out("mkfifo x", "regular");
}
TEST(BadOutput, ADirectoryIsNoFile) {
  expect_not_taken_out("mkdir x", "directory");
}
TEST(BadOutput, ADeviceCannotBeMadeLetAloneTakenOut) {
  expect_not_taken_out("mknod x c 1 3 || ln -s /dev/null x", "link");
}
TEST(BadOutput, ATerabyteOfNothingIsTooLarge) {
  expect_not_taken_out("truncate -s 60M x; truncate -s +60M x; ln x y; truncate -s 300M x || rm x",
                       "it ");
}

TEST(BadOutput, AnExistingHostFileIsUntouchedWhenTheRunFails) {
  const Scratch scratch;
  const std::string kept = scratch.write("y", "precious");
  run_command(exec_command({"--quiet", "--out", "x=" + kept, "--", "/bin/true"}));
  EXPECT_EQ(content_of(kept), "precious");
  EXPECT_EQ(scratch.names().size(), 1U);
}

TEST(BadCores, AreNamedWithThoseThatThereAre) {
  const Ran ran = run_command(exec_command({"--cores", "0,1001", "--", "/bin/true"}));
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("core 1001 is not one of those that can be used here: "),
            std::string::npos)
      << ran.err;
}

TEST(BadInput, AFifoIsNotWaitedForAndAPipeWithoutANameEnds) {
  const Scratch scratch;
  const std::string path = scratch.path() + "/fifo";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  expect_refused({"--quiet", "--in", "x=" + path, "--", "/bin/true"}, "regular");
  std::string command;
  for (const std::string& word : exec_command({"--quiet", "--in", "x=/dev/fd/7"}))
    command += word + " ";
  const Ran piped =
      run_command({"/bin/sh", "-c", "echo text | { exec 7<&0; " + command + "-- /bin/cat x; }"});
  EXPECT_EQ(piped.out, "text\n") << piped.err;
}

TEST(BadProgram, IsNamedOnceAndWithoutEscapeCodes) {
  const Ran ran = run_command(exec_command({"--", "/no/such\n\033[31mthing"}));
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
  EXPECT_EQ(ran.err.find('\033'), std::string::npos) << ran.err;
}

TEST(BadCommand, IsNamed) {
  const Ran ran = run_command({assay_binary(), "bogus"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err, "assay: there is no subcommand 'bogus'; 'assay --help' names them\n");
  EXPECT_EQ(run_command({assay_binary(), "--help"}).code, 0);
  EXPECT_EQ(run_command({assay_binary()}).code, 2);
}

TEST(BadBench, OfNoRunsIsRefused) {
  const Ran ran = run_command({assay_binary(), "bench", "soak", "--runs", "0"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("--runs"), std::string::npos) << ran.err;
}

TEST(Stdin, AFileThatOthersMayWriteIsCopiedSoThatTheProgramCannotChangeIt) {
  const Scratch scratch;
  ::chmod(scratch.path().c_str(), 0755);
  const std::string input = scratch.write("in", "precious", 0666);
  const Ran ran = run_command(exec_command({"--quiet", "--stdin", input, "--", "/bin/sh", "-c",
                                            "cat; echo evil > /proc/self/fd/0; true"}));
  EXPECT_EQ(ran.out, "precious");
  EXPECT_EQ(content_of(input), "precious");
}

}  // namespace
}  // namespace assay::test
