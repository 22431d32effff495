// What can go wrong around the pipes of `assay box`: clients that die, lie or crowd, signals, bad
// options.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "tests/end_to_end/box.h"
#include "tests/support/traces.h"

namespace assay::test {
namespace {

class HeldBoxHazard : public BoxCommand {
 protected:
  static void SetUpTestSuite() { ::signal(SIGPIPE, SIG_IGN); }
  // In a process of its own, that ends when it has done so much or after 2 s.
  template <typename Deed>
  static void in_another_process(Deed deed) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(2);
      deed();
      ::_exit(0);
    }
    children().push_back(child);
  }
  static void await_others() {
    for (const pid_t child : children())
      ::waitpid(child, nullptr, 0);
    children().clear();
  }

 private:
  static std::vector<pid_t>& children() {
    static std::vector<pid_t> all;
    return all;
  }
};

TEST_F(HeldBoxHazard, AClientThatDiesBetweenWaitAndStatus) {
  start_shell("cat");
  for (int i = 0; i < 3; ++i) {
    in_another_process([&] {
      (void)client().write("wait", "1");
      ::kill(::getpid(), SIGKILL);
    });
    await_others();
    EXPECT_EQ(wait().text, "running normally");
  }
}

TEST_F(HeldBoxHazard, AClientThatDiesWhileItReadsTheStatus) {
  start_shell("cat");
  for (int i = 0; i < 20; ++i) {
    in_another_process([&] {
      (void)client().write("wait", "1");
      (void)::open(client().path("status").c_str(), O_RDONLY | O_CLOEXEC);
      ::kill(::getpid(), SIGKILL);
    });
    await_others();
  }
  EXPECT_EQ(wait().text, "running normally");
}

TEST_F(HeldBoxHazard, TwoClientsAtOnce) {
  start_shell("cat");
  for (int i = 0; i < 2; ++i)
    in_another_process([&] {
      for (int n = 0; n < 50; ++n)
        (void)client().wait();
    });
  await_others();
  EXPECT_EQ(wait().text, "running normally");
}

TEST_F(HeldBoxHazard, GarbageAndNothing) {
  start_shell("cat");
  for (const char* bytes : {"x", "2", "00000000x", "quit\n", "\xff\xfe"})
    EXPECT_EQ(wait(bytes).text, "running normally") << bytes;
  EXPECT_EQ(client().write("wait", ""), 0);
  EXPECT_EQ(wait().text, "running normally");
}

TEST_F(HeldBoxHazard, AReaderOfStatusThatClosesAtOnce) {
  start_shell("cat");
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(client().write("wait", "1"), 0);
    ASSERT_TRUE(os::open(client().path("status"), O_RDONLY));
  }
  EXPECT_EQ(wait().text, "running normally");
}

TEST_F(HeldBoxHazard, AClientThatClosesUpwardDoesNotEndTheProgram) {
  start_shell("while read line; do echo $line; done");
  {
    const auto up = os::open(client().path("upward"), O_RDONLY);
  }
  const auto down = os::open(client().path("downward"), O_WRONLY);
  ASSERT_EQ(::write(down->get(), "one\n", 4), 4);
  const auto up = os::open(client().path("upward"), O_RDONLY);
  std::array<char, 16> text;
  EXPECT_EQ(::read(up->get(), text.data(), text.size()), 4);
  EXPECT_EQ(wait().text, "running normally");
}

// Watches every process that carries the mark, kills, and waits until all of them are gone.
void expect_all_gone_after(const std::string& mark, const std::function<void()>& kill) {
  std::vector<os::OwnedFd> watched;
  for (const int pid : processes_with(mark))
    watched.emplace_back(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  ASSERT_FALSE(watched.empty());
  kill();
  for (const os::OwnedFd& pidfd : watched) {
    pollfd gone{pidfd.get(), POLLIN, 0};
    EXPECT_EQ(::poll(&gone, 1, 10'000), 1);
  }
  EXPECT_TRUE(processes_with(mark).empty());
}

TEST_F(HeldBoxHazard, KillingTheCommandLeavesNoProcess) {
  const std::string mark = "mark-" + random_word();
  start_shell("sleep 1000 & echo started; wait; " + mark);
  const auto up = os::open(client().path("upward"), O_RDONLY);
  char byte = 0;
  ASSERT_EQ(::read(up->get(), &byte, 1), 1);
  expect_all_gone_after(mark, [&] {
    process_.send_signal(SIGKILL);
    process_.wait();
  });
  for (const std::string& name : directory_.names())  // only a living one can remove them
    std::filesystem::remove(directory_.path() + "/" + name);
}

TEST_F(HeldBoxHazard, ASignalEndsAllAndRemovesThePipes) {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    const std::string mark = "mark-" + random_word();
    start_shell("sleep 1000 & echo started; wait; " + mark);
    const auto up = os::open(client().path("upward"), O_RDONLY);
    char byte = 0;
    ASSERT_EQ(::read(up->get(), &byte, 1), 1);
    expect_all_gone_after(mark, [&] { process_.send_signal(signal); });
    const Ran ran = end();
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
    EXPECT_TRUE(directory_.names().empty());
  }
}

struct Mistake {
  std::vector<std::string> options;
  const char* word;
};

class BadBoxOption : public testing::TestWithParam<Mistake> {};

TEST_P(BadBoxOption, IsRefusedInOneLineAndLeavesNothing) {
  const Scratch scratch;
  std::vector<std::string> argv{assay_binary(), "box", "--dir", scratch.path()};
  argv.insert(argv.end(), GetParam().options.begin(), GetParam().options.end());
  argv.insert(argv.end(), {"--", "/bin/true"});
  const Ran ran = run_command(argv);
  EXPECT_EQ(ran.code, 2) << ran.err;
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
  EXPECT_NE(ran.err.find(GetParam().word), std::string::npos) << ran.err;
  EXPECT_TRUE(scratch.names().empty());
}

INSTANTIATE_TEST_SUITE_P(
    Box, BadBoxOption,
    testing::Values(
        Mistake{{"--wait-polarity", "reversed"}, "seed or legacy"},
        Mistake{{"--stdin", "/dev/null"}, "downward"}, Mistake{{"--stdout", "/dev/null"}, "upward"},
        Mistake{{"--grace", "50"}, "--grace"}, Mistake{{"--expire", "0s"}, "--expire"},
        Mistake{{"--expire", "soon"}, "--expire"}, Mistake{{"--pipe-suffix", "/x"}, "'/'"},
        Mistake{{"--profile", "nosuch"}, "nosuch"}, Mistake{{"--policy", "nosuch"}, "nosuch"},
        Mistake{{"--language", "nosuch"}, "nosuch"},
        Mistake{{"--language", "c", "--profile", "native"}, "--profile"},
        Mistake{{"--cpu", "5"}, "--cpu"}, Mistake{{"--in", "x=/no/such"}, "/no/such"},
        Mistake{{"--nosuch"}, "--nosuch"}));

void expect_directory_refused(const std::string& directory, const std::string& word) {
  const Ran ran = run_command({assay_binary(), "box", "--dir", directory, "--", "/bin/true"});
  EXPECT_EQ(ran.code, 2) << directory;
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
  EXPECT_NE(ran.err.find(word), std::string::npos) << ran.err;
}

TEST(BadBoxDirectory, IsRefusedAndLeftAsItWas) {
  const Scratch scratch;
  expect_directory_refused(scratch.path() + "/none", "No such file");
  expect_directory_refused(scratch.write("file", "x"), "Not a directory");
  (void)scratch.write("status", "mine");
  expect_directory_refused(scratch.path(), "status");
  EXPECT_EQ(scratch.names(), (std::vector<std::string>{"file", "status"}));
  EXPECT_EQ(content_of(scratch.path() + "/status"), "mine");
}

TEST(BadBoxDirectory, MustBeNamed) {
  const Ran ran = run_command({assay_binary(), "box", "--", "/bin/true"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("--dir"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace assay::test
