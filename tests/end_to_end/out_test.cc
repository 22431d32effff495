// Where `assay exec` writes on the host: what is there keeps its name, its mode and, until it is
// known that there is something better, its bytes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/fd.h"
#include "tests/end_to_end/command.h"

namespace assay::test {
namespace {

Ran make_x(const std::string& path, const std::string& script = "echo new > x") {
  return run_command(
      exec_command({"--quiet", "--out", "x=" + path, "--", "/bin/sh", "-c", script}));
}

std::string link_in(const Scratch& scratch, const std::string& target) {
  std::string path = scratch.path() + "/link";
  EXPECT_EQ(::symlink(target.c_str(), path.c_str()), 0);
  return path;
}

bool is_link(const std::string& path) {
  struct stat found{};
  return ::lstat(path.c_str(), &found) == 0 && S_ISLNK(found.st_mode);
}

TEST(Out, ALinkStaysAndWhatItLeadsToIsWritten) {
  const Scratch scratch;
  const std::string target = scratch.write("target", "old and longer");
  const std::string link = link_in(scratch, target);
  const Ran ran = make_x(link);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(is_link(link));
  EXPECT_EQ(content_of(target), "new\n");
  EXPECT_EQ(scratch.names(), (std::vector<std::string>{"link", "target"}));
}

TEST(Out, ALinkToADescriptorOfOursIsWrittenThrough) {
  const Scratch scratch;
  const std::string link = link_in(scratch, "/proc/self/fd/1");
  const Ran piped = make_x(link, "echo said; echo new > x");
  EXPECT_EQ(piped.code, 0) << piped.err;
  EXPECT_EQ(piped.out, "said\nnew\n");
  EXPECT_TRUE(is_link(link));
  for (const char* redirection : {">", ">>"}) {
    const std::string log = scratch.write("log", "");
    std::string command = "exec ";
    for (const std::string& word : exec_command({"--quiet", "--out", "x=" + link}))
      command += word + " ";
    command += "-- /bin/sh -c 'echo said; echo new > x' " + std::string(redirection) + log;
    const Ran ran = run_command({"/bin/sh", "-c", command});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(content_of(log), "said\nnew\n") << redirection;
    EXPECT_TRUE(is_link(link));
  }
}

TEST(Out, ALinkThatLeadsNowhereIsRefused) {
  const Scratch scratch;
  const Ran ran = make_x(link_in(scratch, "nowhere"));
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("leads to no file"), std::string::npos) << ran.err;
  EXPECT_EQ(scratch.names().size(), 1U);
}

TEST(Out, WhatALinkLeadsToIsUntouchedWhenTheRunFails) {
  const Scratch scratch;
  const std::string target = scratch.write("target", "precious");
  EXPECT_EQ(make_x(link_in(scratch, target), "true").code, 2);
  EXPECT_EQ(content_of(target), "precious");
}

TEST(Out, AFileThatIsReplacedKeepsItsModeAndItsOwner) {
  const Scratch scratch;
  const std::string path = scratch.write("y", "old", 0640);
  const bool root = ::geteuid() == 0;
  const uid_t owner = root ? 12345 : ::geteuid();
  ASSERT_EQ(::chown(path.c_str(), owner, root ? 12346 : ::getegid()), 0);
  const Ran ran = make_x(path);
  EXPECT_EQ(ran.code, 0) << ran.err;
  struct stat found{};
  ASSERT_EQ(::stat(path.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 07777, 0640U);
  EXPECT_EQ(found.st_uid, owner);
  EXPECT_EQ(found.st_gid, root ? 12346U : ::getegid());
  EXPECT_EQ(content_of(path), "new\n");
}

TEST(Out, AStrangersBytesNeverGetTheRightsOfAnOwner) {
  const Scratch scratch;
  const std::string path = scratch.write("y", "old");
  ASSERT_EQ(::chmod(path.c_str(), 04755), 0);
  EXPECT_EQ(make_x(path).code, 0);
  struct stat found{};
  ASSERT_EQ(::stat(path.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 07777, 0755U);
}

TEST(Out, APipeThatNobodyReadsIsRefusedAtOnceAndOneThatIsReadGetsTheFile) {
  const Scratch scratch;
  const std::string path = scratch.path() + "/fifo";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const Ran ran = make_x(path);
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("nobody reads"), std::string::npos) << ran.err;
  const os::OwnedFd reader = os::open(path, O_RDONLY | O_NONBLOCK).value();
  EXPECT_EQ(make_x(path).code, 0);
  std::string text(16, '\0');
  text.resize(static_cast<std::size_t>(::read(reader.get(), text.data(), text.size())));
  EXPECT_EQ(text, "new\n");
}

TEST(Out, AFullDeviceIsNamedWithTheReason) {
  const Ran ran = make_x("/dev/full");
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("/dev/full"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("No space left"), std::string::npos) << ran.err;
}

// Whatever is wrong with these, a file that is there stays as it is and no other appears.
class WrongRun : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(WrongRun, NeitherEmptiesNorMakesAFile) {
  const Scratch scratch;
  const std::string kept = scratch.write("kept", "precious");
  std::vector<std::string> options{"--quiet", "--stdout", kept, "--stderr",
                                   scratch.path() + "/new"};
  for (std::string option : GetParam()) {
    if (option.starts_with("@")) option = scratch.path() + option.substr(1);
    options.push_back(option);
  }
  options.insert(options.end(), {"--", "/bin/true"});
  const Ran ran = run_command(exec_command(options));
  EXPECT_EQ(ran.code, 2) << ran.err;
  EXPECT_EQ(content_of(kept), "precious") << ran.err;
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"kept"}) << ran.err;
}

INSTANTIATE_TEST_SUITE_P(Exec, WrongRun,
                         testing::Values(std::vector<std::string>{"--profile", "nosuch"},
                                         std::vector<std::string>{"--policy", "nosuch"},
                                         std::vector<std::string>{"--cpu", "5"},
                                         std::vector<std::string>{"--cores", "1001"},
                                         std::vector<std::string>{"--in", "../x=/dev/null"},
                                         std::vector<std::string>{"--out", "../x=/dev/null"},
                                         std::vector<std::string>{"--out", "x=/no/such/dir/y"},
                                         std::vector<std::string>{"--mount", "/etc=/etc2"},
                                         std::vector<std::string>{"--stdin", "@/kept"},
                                         std::vector<std::string>{"--stdin", "@/missing"}));

TEST(WrongStream, LeavesTheOtherAsItWas) {
  const Scratch scratch;
  const std::string kept = scratch.write("kept", "precious");
  const Ran ran = run_command(
      exec_command({"--quiet", "--stdout", kept, "--stderr", "/no/such/dir/x", "--", "/bin/true"}));
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(content_of(kept), "precious");
}

TEST(Out, AFileThatIsReadIsNotEmptiedForAStream) {
  const Scratch scratch;
  const std::string kept = scratch.write("kept", "precious");
  for (const auto& [option, value] :
       {std::pair{std::string("--stdin"), kept}, std::pair{std::string("--in"), "x=" + kept}}) {
    const Ran ran =
        run_command(exec_command({"--quiet", option, value, "--stdout", kept, "--", "/bin/cat"}));
    EXPECT_EQ(ran.code, 2) << option;
    EXPECT_NE(ran.err.find("read by this run"), std::string::npos) << ran.err;
    EXPECT_EQ(content_of(kept), "precious") << option;
  }
}

TEST(Out, AStreamEmptiesWhatWasThere) {
  const Scratch scratch;
  const std::string path = scratch.write("o", "old and longer");
  const Ran ran =
      run_command(exec_command({"--quiet", "--stdout", path, "--", "/bin/echo", "new"}));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(content_of(path), "new\n");
}

TEST(Out, BothStreamsGoToOneFileWithoutLosingAnything) {
  const Scratch scratch;
  const std::string path = scratch.write("same", "old and longer than what comes");
  ASSERT_EQ(::link(path.c_str(), (scratch.path() + "/alias").c_str()), 0);
  const Ran ran =
      run_command(exec_command({"--quiet", "--stdout", path, "--stderr", scratch.path() + "/alias",
                                "--", "/bin/sh", "-c", "echo out; echo err >&2"}));
  EXPECT_EQ(ran.code, 0) << ran.err;
  const std::string text = content_of(path);
  EXPECT_TRUE(text == "out\nerr\n" || text == "err\nout\n") << text;
}

TEST(Out, AStreamIntoTheFileThatIsOurOtherStreamLosesNothing) {
  const Scratch scratch;
  const std::string log = scratch.write("log", "before\n");
  std::string command = "exec ";
  for (const std::string& word : exec_command({"--quiet", "--stdout", log}))
    command += word + " ";
  const Ran ran =
      run_command({"/bin/sh", "-c", command + "-- /bin/sh -c 'echo out; echo err >&2' 2>>" + log});
  EXPECT_EQ(ran.code, 0);
  const std::string text = content_of(log);
  EXPECT_TRUE(text == "before\nout\nerr\n" || text == "before\nerr\nout\n") << text;
}

TEST(Out, TwoFilesForOneNameAreRefusedHoweverItIsSpelled) {
  const Scratch scratch;
  const std::string there = scratch.write("there", "precious");
  for (const std::string name : {"there", "new"}) {
    const Ran ran = run_command(exec_command(
        {"--quiet", "--out", "x=" + scratch.path() + "/" + name, "--out",
         "y=" + scratch.path() + "/./" + name, "--", "/bin/sh", "-c", "echo x > x; echo y > y"}));
    EXPECT_EQ(ran.code, 2) << name;
    EXPECT_NE(ran.err.find("written twice"), std::string::npos) << ran.err;
  }
  const Ran stream = run_command(exec_command(
      {"--quiet", "--stdout", there, "--out", "x=" + there, "--", "/bin/sh", "-c", "> x"}));
  EXPECT_EQ(stream.code, 2);
  EXPECT_EQ(content_of(there), "precious");
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"there"});
}

TEST(Out, TwoFilesMayGoToOneDevice) {
  const Ran ran = run_command(exec_command({"--quiet", "--out", "x=/dev/null", "--out",
                                            "y=/dev/null", "--", "/bin/sh", "-c", "> x; > y"}));
  EXPECT_EQ(ran.code, 0) << ran.err;
}

}  // namespace
}  // namespace assay::test
