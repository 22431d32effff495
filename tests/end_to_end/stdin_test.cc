// The caller's stdin is shared with whoever reads it next: a program gets its bytes and nothing
// else of it.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "os/fd.h"
#include "os/file.h"
#include "tests/end_to_end/command.h"

namespace assay::test {
namespace {

std::vector<std::string> python(const std::string& program) {
  return exec_command({"--quiet", "--", "/usr/bin/python3", "-c", program});
}

unsigned mode_of(int fd) {
  struct stat found{};
  EXPECT_EQ(::fstat(fd, &found), 0);
  return found.st_mode & 0777;
}

std::string rest_of(int fd) {
  std::string text;
  std::array<char, 65536> buffer;
  for (ssize_t got = 0; (got = ::read(fd, buffer.data(), buffer.size())) > 0;)
    text.append(buffer.data(), static_cast<std::size_t>(got));
  return text;
}

void put(int fd, std::string_view text) {
  ASSERT_TRUE(os::write_all(fd, text));
}

// Everything that a holder of the description, or of the right to open it again, could do.
constexpr const char* kSpoil = R"(
import fcntl, os
fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_NONBLOCK)
for how in (os.O_RDWR, os.O_WRONLY):
    try:
        os.write(os.open("/proc/self/fd/0", how | os.O_NONBLOCK), b"3 4\nINJECTED\n")
    except OSError:
        pass
)";

TEST(ForeignStdin, APipeGetsNoBytesFlagsOrModeFromTheProgram) {
  os::Pipe pipe = os::make_pipe().value();
  const Ran ran = run_command_on(pipe.read_end.get(), python(kSpoil));
  EXPECT_EQ(ran.code, 0) << ran.err;
  put(pipe.write_end.get(), "1 2\n");
  pipe.write_end.reset();
  EXPECT_EQ(::fcntl(pipe.read_end.get(), F_GETFL) & O_NONBLOCK, 0);
  EXPECT_EQ(mode_of(pipe.read_end.get()), 0600U);
  EXPECT_EQ(rest_of(pipe.read_end.get()), "1 2\n");
}

TEST(ForeignStdin, ANamedPipeKeepsItsMode) {
  const Scratch scratch;
  const std::string path = scratch.path() + "/fifo";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const os::OwnedFd writer = os::open(path, O_RDWR).value();
  put(writer.get(), "text");
  const Ran ran = run_command(exec_command(
      {"--quiet", "--stdin", path, "--", "/bin/dd", "bs=4", "count=1", "status=none"}));
  EXPECT_EQ(ran.out, "text") << ran.err;
  EXPECT_EQ(mode_of(writer.get()), 0600U);
}

TEST(ForeignStdin, ASocketsPeerHearsNothingFromTheProgram) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
  const os::OwnedFd ours(ends[0]);
  os::OwnedFd theirs(ends[1]);
  put(ours.get(), "question");
  ASSERT_EQ(::shutdown(ours.get(), SHUT_WR), 0);
  const Ran ran = run_command_on(theirs.get(), python(R"(
import os, sys
sys.stdout.write(sys.stdin.read())
try:
    os.write(0, b"reply")
except OSError:
    pass
)"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "question");
  theirs.reset();
  EXPECT_EQ(rest_of(ours.get()), "");
}

TEST(ForeignStdin, ATerminalIsRefusedAndOneThatNobodyAskedForIsNothing) {
  const os::OwnedFd master(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  ASSERT_TRUE(master.is_open());
  ASSERT_EQ(::grantpt(master.get()), 0);
  ASSERT_EQ(::unlockpt(master.get()), 0);
  std::array<char, 64> path{};
  ASSERT_EQ(::ptsname_r(master.get(), path.data(), path.size()), 0);
  const os::OwnedFd terminal = os::open(path.data(), O_RDWR | O_NOCTTY).value();
  const Ran named =
      run_command(exec_command({"--quiet", "--stdin", path.data(), "--", "/bin/cat"}));
  EXPECT_EQ(named.code, 2);
  EXPECT_NE(named.err.find("terminal"), std::string::npos) << named.err;
  const Ran asked =
      run_command_on(terminal.get(), exec_command({"--quiet", "--stdin", "-", "--", "/bin/cat"}));
  EXPECT_EQ(asked.code, 2);
  EXPECT_NE(asked.err.find("terminal"), std::string::npos) << asked.err;
  const Ran nothing = run_command_on(terminal.get(), exec_command({"--quiet", "--", "/bin/cat"}));
  EXPECT_EQ(nothing.code, 0) << nothing.err;
  EXPECT_EQ(nothing.out, "");
}

// Without ids of its own a program of a plain user is that user, who may write its own files.
TEST(ForeignStdin, AFileOfAPlainUserIsNotWrittenByItsProgram) {
  constexpr unsigned kSomebody = 54321;
  const Scratch scratch;
  std::vector<std::string> argv;
  for (const unsigned mode : {0644U, 0444U}) {
    const std::string path = scratch.write("in", "first\nprecious\n", 0644);
    if (::geteuid() == 0) {
      ASSERT_EQ(::chown(scratch.path().c_str(), kSomebody, kSomebody), 0);
      ASSERT_EQ(::chown(path.c_str(), kSomebody, kSomebody), 0);
      argv = {"/usr/bin/setpriv", "--reuid=54321", "--regid=54321", "--clear-groups"};
    }
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    const os::OwnedFd input = os::open(path, O_RDONLY).value();
    argv.insert(argv.end(), {assay_binary(), "exec", "--allow-degraded", "--quiet", "--", "/bin/sh",
                             "-c", "read x; echo $x; chmod 644 /dev/fd/0; echo evil > /dev/fd/0"});
    const Ran ran = run_command_on(input.get(), argv);
    if (ran.code == 2) GTEST_SKIP() << "a plain user gets no box here: " << ran.err;
    EXPECT_EQ(ran.out, "first\n") << ran.err;
    EXPECT_EQ(content_of(path), "first\nprecious\n");
    EXPECT_EQ(rest_of(input.get()), "precious\n");
    argv.clear();
    ASSERT_EQ(::unlink(path.c_str()), 0);
  }
}

TEST(RelayedStdin, WhatTheProgramDoesNotReadIsLeftForTheNextReader) {
  os::Pipe pipe = os::make_pipe().value();
  put(pipe.write_end.get(), "one\ntwo\nthree\n");
  const Ran none =
      run_command_on(pipe.read_end.get(), exec_command({"--quiet", "--", "/bin/true"}));
  EXPECT_EQ(none.code, 0) << none.err;
  const Ran first =
      run_command_on(pipe.read_end.get(),
                     exec_command({"--quiet", "--", "/bin/dd", "bs=4", "count=1", "status=none"}));
  EXPECT_EQ(first.out, "one\n");
  pipe.write_end.reset();
  EXPECT_EQ(rest_of(pipe.read_end.get()), "two\nthree\n");
}

TEST(RelayedStdin, WhatTheProgramDoesNotReadOfASocketIsLeftToo) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
  os::OwnedFd ours(ends[0]);
  const os::OwnedFd theirs(ends[1]);
  put(ours.get(), "one\ntwo\n");
  const Ran first = run_command_on(
      theirs.get(), exec_command({"--quiet", "--", "/bin/dd", "bs=4", "count=1", "status=none"}));
  EXPECT_EQ(first.out, "one\n") << first.err;
  ours.reset();
  EXPECT_EQ(rest_of(theirs.get()), "two\n");
}

TEST(RelayedStdin, ARunEndsThoughItsStdinDoesNot) {
  const os::Pipe pipe = os::make_pipe().value();
  const Ran ended =
      run_command_on(pipe.read_end.get(), exec_command({"--quiet", "--", "/bin/true"}));
  EXPECT_EQ(ended.code, 0) << ended.err;
  const Ran never =
      run_command_on(pipe.read_end.get(), exec_command({"--quiet", "--", "/no/such"}));
  EXPECT_EQ(never.code, 2);
  const Ran cut = run_command_on(pipe.read_end.get(),
                                 exec_command({"--json", "--wall", "300ms", "--", "/bin/cat"}));
  EXPECT_EQ(json_field(cut.out, "cut_off_by"), "wall") << cut.out << cut.err;
}

TEST(RelayedStdin, MuchOfItArrivesUnchangedAndEnds) {
  std::string text;
  for (int i = 0; i < 700'000; ++i)
    text += std::to_string(i * 2999LL) + "\n";
  for (const char* program : {"/bin/cat", "/usr/bin/tail"}) {
    os::Pipe pipe = os::make_pipe().value();
    std::thread writer([&] {
      (void)os::write_all(pipe.write_end.get(), text);
      pipe.write_end.reset();
    });
    const Ran ran = run_command_on(pipe.read_end.get(),
                                   exec_command({"--quiet", "--output", "1GiB", "--", program}));
    writer.join();
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(text.ends_with(ran.out)) << program;
    EXPECT_TRUE(std::string_view(program) != "/bin/cat" || ran.out.size() == text.size());
  }
}

TEST(RelayedStdin, ItIsReadWithTheRightsOfWhoOpenedItAndWithFilesThatComeOut) {
  const Scratch scratch;
  os::Pipe pipe = os::make_pipe().value();
  put(pipe.write_end.get(), "text");
  pipe.write_end.reset();
  const Ran ran = run_command_on(
      pipe.read_end.get(), exec_command({"--quiet", "--out", "x=" + scratch.path() + "/x", "--",
                                         "/bin/sh", "-c", "cat /dev/stdin > x"}));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(content_of(scratch.path() + "/x"), "text");
}

TEST(RelayedStdin, ADeviceEndsWithTheProgram) {
  const Ran ran = run_command(exec_command(
      {"--quiet", "--stdin", "/dev/zero", "--", "/bin/dd", "bs=1", "count=9000", "status=none"}));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, std::string(9000, '\0'));
}

}  // namespace
}  // namespace assay::test
