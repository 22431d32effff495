// Rows T01–T12 of seed 003 on real boxes: `assay box` and a client of its pipes.
#include "tests/end_to_end/box.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "os/file.h"
#include "tests/support/traces.h"

namespace assay::test {
namespace {

// What is told without them comes from /proc, in ticks and after the fact.
bool has_cgroups() {
  static const std::string told = run_command(exec_command({"--json", "--", "/bin/true"})).out;
  return told.contains(R"("memory_meter":"cgroup)");
}
#define NEEDS_CGROUPS() \
  if (!has_cgroups()) GTEST_SKIP() << "needs cgroups"

// A client that keeps both data pipes open and gives orders to the guest do_as_told.
class HeldBox : public BoxCommand {
 protected:
  void obey(const std::vector<std::string>& options = {}, const std::string& mark = "mark") {
    std::vector<std::string> all{"--in", "guest=" + std::string(ASSAY_GUEST_DIR) + "/do_as_told"};
    all.insert(all.end(), options.begin(), options.end());
    start(all, {"./guest", mark});
    down_ = *os::open(client().path("downward"), O_WRONLY);
    up_ = *os::open(client().path("upward"), O_RDONLY);
  }
  void tell(const std::string& order) { ASSERT_TRUE(os::write_all(down_.get(), order + "\n")); }
  // What the program says next; empty at the end of its output.
  std::string hear() {
    std::array<char, 64> text;
    const ssize_t got = ::read(up_.get(), text.data(), text.size());
    return got <= 0 ? "" : std::string(text.data(), static_cast<std::size_t>(got));
  }
  StatusAnswer after(const std::string& order) {
    tell(order);
    EXPECT_EQ(hear(), "ok\n") << order;
    return wait();
  }
  // An order after which the program is gone.
  StatusAnswer last(const std::string& order) {
    tell(order);
    EXPECT_EQ(hear(), "") << order;
    return wait();
  }
  std::string info() { return client().read("info"); }
  [[nodiscard]] static std::uint64_t number(const std::string& json, const std::string& key) {
    return std::stoull(json_field(json, key));
  }

  os::OwnedFd down_, up_;
};

TEST_F(HeldBox, SaysItRunsNormallyAsLongAsItDoes) {
  obey();
  const StatusAnswer first = wait();
  EXPECT_EQ(first.text, "running normally");
  EXPECT_EQ(after("nothing").text, "running normally");
}

TEST_F(HeldBox, HasPipesThatOnlyTheirOwnerCanOpen) {
  start_shell("cat");
  for (const char* name : {"wait", "status", "info", "downward", "upward"}) {
    struct stat found{};
    ASSERT_EQ(::stat(client().path(name).c_str(), &found), 0) << name;
    EXPECT_TRUE(S_ISFIFO(found.st_mode));
    EXPECT_EQ(found.st_mode & 07777, 0600U) << name;
    EXPECT_EQ(found.st_uid, ::geteuid()) << name;
  }
}

TEST_F(HeldBox, AnswersAThousandWaitsWhileItRunsAndAThousandAfterwards) {
  obey();
  StatusAnswer before;
  for (int i = 0; i < 1000; ++i) {
    const StatusAnswer now = wait();
    ASSERT_EQ(now.text, "running normally");
    ASSERT_GE(now.cpu_us, before.cpu_us);
    before = now;
  }
  const StatusAnswer ended = last("exit 0");
  ASSERT_GE(ended.cpu_us, before.cpu_us);
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ(wait(), (StatusAnswer{ended.cpu_us, 0, "exited normally"}));
}

TEST_F(HeldBox, TellsTheTimeOfASectionAsTheDifferenceOfTwoWaits) {
  NEEDS_CGROUPS();
  obey();
  const StatusAnswer begin = after("nothing");
  const StatusAnswer end = after("burn 100");
  EXPECT_GE(end.cpu_us - begin.cpu_us, 95'000U);
  EXPECT_LE(end.cpu_us - begin.cpu_us, 150'000U);
  const std::string told = info();
  EXPECT_EQ(number(told, "section_cpu_us"), end.cpu_us - begin.cpu_us) << told;
}

TEST_F(HeldBox, CountsTheTimeOfChildrenTooAndNeverLess) {
  NEEDS_CGROUPS();
  obey();
  const StatusAnswer begin = after("nothing");
  const StatusAnswer end = after("child 80");
  EXPECT_GE(end.cpu_us - begin.cpu_us, 75'000U);
  EXPECT_GE(after("nothing").cpu_us, end.cpu_us);
  EXPECT_GE(last("exit 0").cpu_us, end.cpu_us);
}

TEST_F(HeldBox, TellsTheMemoryOfTheMoment) {
  NEEDS_CGROUPS();
  obey();
  EXPECT_LT(after("nothing").memory, 20'000'000U);
  EXPECT_GT(after("take 100").memory, 100'000'000U);
  EXPECT_LT(after("free").memory, 50'000'000U);
  EXPECT_EQ(last("exit 0").memory, 0U);
}

TEST_F(HeldBox, TellsThePeakOfEverySectionInInfo) {
  obey();
  after("nothing");
  after("take 100");
  if (json_field(info(), "section_peak_bytes") == "null") GTEST_SKIP() << "this kernel cannot";
  after("free");
  EXPECT_GT(number(info(), "section_peak_bytes"), 100'000'000U);  // it began with them
  after("nothing");
  std::string told = info();
  EXPECT_LT(number(told, "section_peak_bytes"), 50'000'000U) << told;
  EXPECT_GT(number(told, "memory_peak_bytes"), 100'000'000U) << told;
  last("exit 0");
  told = info();
  EXPECT_LT(number(told, "section_peak_bytes"), 50'000'000U) << told;
  EXPECT_GT(number(told, "memory_peak_bytes"), 100'000'000U) << told;
}

TEST_F(HeldBox, RunsNormallyAfterItClosedItsOutput) {
  obey();
  tell("close");
  EXPECT_EQ(hear(), "");
  EXPECT_EQ(wait().text, "running normally");
}

TEST_F(HeldBox, SaysHowItEnded) {
  struct Row {
    const char* order;
    const char* text;
  };
  for (const Row& row : {Row{"exit 0", "exited normally"}, Row{"exit 3", "exited with status 3"},
                         Row{"crash", "interrupted by signal 11 - SIGSEGV - Segmentation fault"},
                         Row{"raise 6", "interrupted by signal 6 - SIGABRT"},
                         Row{"raise 31", "interrupted by signal 31 - SIGSYS - Bad system call"}}) {
    obey();
    EXPECT_EQ(last(row.order).text, row.text);
    EXPECT_EQ(terminate().text, row.text);
    EXPECT_EQ(end().code, 0);
  }
}

TEST_F(HeldBox, SaysWhichLimitEndedIt) {
  obey({"--cpu", "100ms"});
  EXPECT_EQ(last("spin").text,
            "interrupted by signal 9 - SIGKILL, killed because: cpu time limit exceeded");
}

TEST_F(HeldBox, SaysWhenItsMemoryEndedIt) {
  NEEDS_CGROUPS();
  obey({"--memory", "50MiB"});
  EXPECT_EQ(last("take 100").text,
            "interrupted by signal 9 - SIGKILL, killed because: memory limit exceeded");
}

TEST_F(HeldBox, IsEndedByTooMuchOutputOnlyWhereThatIsLimited) {
  obey({"--output", "100KiB"});
  tell("flood");
  std::size_t all = 0;
  for (std::string text = hear(); !text.empty(); text = hear())
    all += text.size();
  EXPECT_EQ(all, 102'400U);
  const StatusAnswer answer = wait();
  EXPECT_EQ(answer.text,
            "interrupted by signal 9 - SIGKILL, killed because: output limit exceeded");
}

TEST_F(HeldBox, ThatEndsByItselfWithinTheGraceEndedNormally) {
  obey({"--grace", "5s"});  // 50 ms may be short on a busy machine
  EXPECT_EQ(after("nothing").text, "running normally");
  tell("exit_after_ms 10");
  EXPECT_EQ(terminate().text, "exited normally");
  EXPECT_EQ(end().code, 0);
}

TEST_F(HeldBox, ThatWaitsForAReaderCanStillEndNormally) {
  obey({"--grace", "5s"});  // 50 ms may be short on a busy machine
  tell("flood_kib 300");    // more than all the pipes hold, and nobody reads
  EXPECT_EQ(terminate().text, "exited normally");
  EXPECT_EQ(end().code, 0);
}

TEST_F(HeldBox, ThatDoesNotEndIsEndedByForceWithAllItsChildren) {
  const std::string mark = "mark-" + random_word();
  obey({}, mark);
  after("orphans 5");
  const auto guests = [&] {
    return std::ranges::count_if(processes_with(mark), [](int pid) {
      return status_line(pid, "Name").find("guest") != std::string::npos;
    });
  };
  ASSERT_GE(guests(), 6);
  const StatusAnswer answer = terminate();
  EXPECT_EQ(answer.text, "interrupted by signal 9 - SIGKILL, killed because: forced termination");
  EXPECT_EQ(answer.memory, 0U);
  EXPECT_EQ(guests(), 0);
  EXPECT_EQ(end().code, 0);
  EXPECT_TRUE(processes_with(mark).empty());
}

TEST_F(HeldBox, IsTerminatedOnce) {
  start_shell("cat");
  terminate();
  EXPECT_EQ(client().write("wait", "0"), ENOENT);
  EXPECT_EQ(client().write("wait", "1"), ENOENT);
  EXPECT_TRUE(directory_.names().empty());
  EXPECT_EQ(end().code, 0);
}

TEST_F(HeldBox, WithoutAProgramIsAProcessThatHasEnded) {
  start({}, {"/no/such/program"});
  EXPECT_EQ(client().read("upward"), "");
  EXPECT_EQ(client().write("downward", "hello"), 0);
  const StatusAnswer answer = wait();
  EXPECT_EQ(answer.text.rfind("not started: ", 0), 0U) << answer.text;
  EXPECT_NE(answer.text.find("/no/such/program"), std::string::npos) << answer.text;
  EXPECT_EQ(answer.memory, 0U);
  EXPECT_EQ(terminate(), answer);
  EXPECT_EQ(end().code, 0);
}

TEST_F(HeldBox, CompilesSourcesBeforeItRunsThem) {
  const Scratch scratch;
  start({"--language", "c"},
        {scratch.write("add.c",
                       "#include <stdio.h>\nint main(void) { int a, b; scanf(\"%d%d\", &a, "
                       "&b); printf(\"%d\\n\", a + b); }\n")});
  ASSERT_EQ(client().write("downward", "20 22\n"), 0);
  EXPECT_EQ(client().read("upward"), "42\n");
  EXPECT_EQ(terminate().text, "exited normally");
  EXPECT_EQ(end().code, 0);
}

TEST_F(HeldBox, ThatDoesNotCompileIsAProcessThatHasEnded) {
  const Scratch scratch;
  start({"--language", "c"}, {scratch.write("bad.c", "int main(void) { return nothing; }\n")});
  EXPECT_EQ(client().read("upward"), "");
  const StatusAnswer answer = wait();
  EXPECT_EQ(answer.text.rfind("not started: it does not compile", 0), 0U) << answer.text;
  EXPECT_EQ(answer.cpu_us, 0U);
  EXPECT_EQ(terminate(), answer);
  EXPECT_EQ(end().code, 0);
}

TEST_F(HeldBox, ThatIsStillCompiledCanBeTerminated) {
  const Scratch scratch;
  std::string slow = "#define A(x) x x x x x x x x\nint main(void) { int n = 0; ";
  slow += "A(A(A(A(A(A(n = n * 7 + 1;)))))) return n; }\n";
  start({"--language", "c", "--grace", "1ms"}, {scratch.write("slow.c", slow)});
  EXPECT_EQ(wait().text, "running normally");
  EXPECT_NE(terminate().text, "running normally");
  EXPECT_EQ(end().code, 0);
}

TEST_F(HeldBox, TakesTheOldPolarityWhenAsked) {
  start_shell("cat", {"--wait-polarity", "legacy"});
  EXPECT_EQ(wait("0").text, "running normally");
  EXPECT_NE(wait("1").text, "running normally");
  EXPECT_EQ(end().code, 0);
}

TEST_F(HeldBox, TakesTheNamesOfTheOldPipesWhenAsked) {
  start_shell("cat", {"--pipe-suffix", ".pipe"});
  const Client old(directory_.path(), ".pipe");
  ASSERT_EQ(old.write("downward", "line\n"), 0);
  EXPECT_EQ(old.read("upward"), "line\n");
  EXPECT_TRUE(old.wait("0"));
  EXPECT_EQ(end().code, 0);
}

TEST_F(HeldBox, HasTheLimitsOfItsPolicyWhereItIsGivenNone) {
  start_shell("ulimit -v; ulimit -s", {"--policy", "turingarena"});
  EXPECT_EQ(client().read("upward"), "262144\nunlimited\n");
  terminate();
  EXPECT_EQ(end().code, 0);
}

TEST_F(HeldBox, HasItsOwnLimitsRatherThanThoseOfItsPolicy) {
  start_shell("ulimit -v", {"--policy", "turingarena", "--address-space", "1GiB"});
  EXPECT_EQ(client().read("upward"), "1048576\n");
  terminate();
  EXPECT_EQ(end().code, 0);
}

TEST_F(HeldBox, ReportsTheWholeRunAtTheEndWhenAsked) {
  start_shell("exit 3", {"--json"});
  EXPECT_EQ(client().read("upward"), "");
  terminate();
  const Ran ran = end();
  EXPECT_EQ(json_field(ran.out, "code"), "3") << ran.out;
}

TEST_F(HeldBox, ExpiresWhenNobodyAsks) {
  const std::string mark = "mark-" + random_word();
  obey({"--expire", "200ms"}, mark);
  EXPECT_EQ(end().code, 0);
  EXPECT_TRUE(processes_with(mark).empty());
}

}  // namespace
}  // namespace assay::test
