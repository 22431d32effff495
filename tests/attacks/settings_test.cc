// Rows 39, 41 to 43 and 47: what a program inherits, what it may change, what it makes the host
// write down.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "os/file.h"
#include "tests/attacks/attack.h"
#include "tests/support/sanitizer.h"

namespace assay::test {
namespace {

using Attack39Environment = Attack;
using Attack41Limits = Attack;
using Attack42OwnFiles = Attack;
using Attack43StartUp = Attack;
using Attack47KernelLog = Attack;

TEST_F(Attack39Environment, NothingOfOursIsInherited) {
  ::setenv("ASSAY_TEST_SECRET", open_.secret().c_str(), 1);
  ::setenv("LD_PRELOAD_TEST", open_.secret().c_str(), 1);
  auto engine = sandbox::Sandbox::start(options());  // with a warden that has seen it
  ASSERT_TRUE(engine);
  Prepared job({.guest = "print_arguments"});
  ASSERT_TRUE(engine->run(job.spec));
  EXPECT_FALSE(job.outcome.output.contains(open_.secret()));
  EXPECT_TRUE(job.outcome.output.contains("PATH="));
}

TEST_F(Attack39Environment, NamesAreNeverOptionsOrCode) {
  for (const std::string name :
       {"-rf", "--help", "$(id)", "`id`", ";id;", "a b", "a\nb", "*", "-", "%s%n"}) {
    const Outcome outcome = attack({.arguments = {"./" + name, name},
                                    .files_in = {{name, "#!/bin/sh\nprintf '%s' \"$1\"\n", true}}});
    EXPECT_EQ(outcome.output, name) << outcome;
  }
}

TEST_F(Attack41Limits, LowOnesAreNotInheritedByTheNextRun) {
  const Outcome fresh = run({.guest = "show_limits"});
  attack({.guest = "show_limits",
          .limits = {.cpu_time = 1s,
                     .wall_time = 1s,
                     .idle_time = 1s,
                     .memory = 8_MiB,
                     .stack = 1_MiB,
                     .address_space = 64_MiB,
                     .output = 1_KiB,
                     .disk = 1_MiB,
                     .inodes = 10,
                     .open_files = 5,
                     .processes = 1}});
  const Outcome next = run({.guest = "show_limits"});
  EXPECT_EQ(next.output, fresh.output);
  EXPECT_EQ(next.facts.limits, fresh.facts.limits);
  EXPECT_EQ(run({.guest = "touch_memory_mib", .arguments = {"100"}}).letters, "AC");
}

// Nothing at all is not everything: the program has no CPU time, no memory, no output.
TEST_F(Attack41Limits, ZeroIsNotUnlimited) {
  NEEDS_METERS();
  const auto is_refused = [](const Result<Outcome>& outcome) {
    return !outcome && outcome.error().fault == Fault::InvalidRequest;
  };
  const auto none = [&](const sandbox::Limits& limits, const std::string& letters) {
    const auto outcome = try_run({.guest = "print_forever", .arguments = {"1"}, .limits = limits});
    EXPECT_TRUE(is_refused(outcome) || (outcome && outcome->letters == letters))
        << letters << ": " << (outcome ? *outcome : Outcome{});
  };
  none({.cpu_time = 0s}, "TLE");
  none({.wall_time = 0s}, "TLE");
  none({.memory = 0_B}, "MLE");
  none({.output = 0_B}, "OLE");
  none({.processes = 0}, "SE");  // not even the program itself may start
}

// What was changed in us before the engine started is not what programs get.
TEST_F(Attack41Limits, OursAreNotInheritedHoweverLow) {
  const Outcome fresh = run({.guest = "show_limits"});
  const std::array kinds{RLIMIT_NOFILE, RLIMIT_STACK, RLIMIT_CORE, RLIMIT_MEMLOCK, RLIMIT_DATA};
  std::array<rlimit, kinds.size()> before{};
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    ASSERT_EQ(::getrlimit(kinds[i], &before[i]), 0);
    rlimit low = before[i];
    if (kinds[i] == RLIMIT_DATA && (kAddressSanitizer || kThreadSanitizer)) continue;  // needs more
    low.rlim_cur = std::min<rlim_t>(low.rlim_cur, kinds[i] == RLIMIT_NOFILE ? 200 : 1 << 30);
    low.rlim_cur = kinds[i] == RLIMIT_CORE ? 0 : low.rlim_cur;
    ASSERT_EQ(::setrlimit(kinds[i], &low), 0);
  }
  const mode_t mask = ::umask(0777);
  auto engine = sandbox::Sandbox::start(options());
  ::umask(mask);
  for (std::size_t i = 0; i < kinds.size(); ++i)
    ASSERT_EQ(::setrlimit(kinds[i], &before[i]), 0);
  ASSERT_TRUE(engine) << describe(engine.error());
  Prepared job({.guest = "show_limits"});
  ASSERT_TRUE(engine->run(job.spec));
  EXPECT_EQ(job.outcome.output, fresh.output);
}

TEST_F(Attack41Limits, UnitsArePowersOfTwo) {
  NEEDS_METERS();
  EXPECT_EQ(
      run({.guest = "touch_memory_mib", .arguments = {"31"}, .limits = {.memory = 33_MiB}}).letters,
      "AC");
  EXPECT_EQ(
      run({.guest = "touch_memory_mib", .arguments = {"33"}, .limits = {.memory = 33_MiB}}).letters,
      "MLE");
}

TEST_F(Attack41Limits, OursAreNotTheirs) {
  const Outcome outcome = run({.guest = "open_many_files"});
  EXPECT_EQ(outcome.output, "256 EMFILE\n") << outcome;
}

TEST_F(Attack42OwnFiles, WhatWasPutInIsACopy) {
  const auto binary = os::read_whole(guest_path("overwrite_own_files"));
  const os::OwnedFd source(::open(open_.path().c_str(), O_RDWR | O_CLOEXEC));
  Prepared job({.guest = "overwrite_own_files"});
  job.spec.files_in.push_back({.name = "input", .source = source.get()});
  ASSERT_TRUE(engine().run(job.spec));
  EXPECT_EQ(result_of(job.outcome, "binary"), "ETXTBSY") << job.outcome;
  EXPECT_EQ(result_of(job.outcome, "input"), "done") << job.outcome;
  EXPECT_EQ(os::read_whole(guest_path("overwrite_own_files")).value(), binary.value());
}

TEST_F(Attack42OwnFiles, AnInputThatIsOursCanOnlyBeRead) {
  NEEDS_OWN_IDS();
  const os::OwnedFd input(::open(open_.path().c_str(), O_RDONLY | O_CLOEXEC));
  Prepared job({.guest = "overwrite_own_files", .files_in = {{"input", "x"}}});
  job.spec.input = sandbox::Descriptor{input.get()};
  ASSERT_TRUE(engine().run(job.spec));
  for (const std::string way : {"stdin", "stdin truncated", "stdin mode"})
    EXPECT_NE(result_of(job.outcome, way), "done") << way;
}

TEST_F(Attack43StartUp, EverythingHoldsBeforeTheFirstLineOfTheProgram) {
  const Outcome outcome = attack({.guest = "constructor_first", .limits = {.open_files = 77}});
  for (const std::string line :
       {"Seccomp:\t2\n", "NoNewPrivs:\t1\n", "CapEff:\t0000000000000000\n", "files 77 "})
    EXPECT_TRUE(outcome.output.contains(line)) << line << outcome;
  expect_refused(outcome);
}

// What they load runs before anything of the program, and finds all of it in force.
TEST_F(Attack43StartUp, TheLoadersVariablesGiveNothingMore) {
  const std::string object = os::read_whole(guest_path("report_when_loaded.so")).value();
  for (const std::string way :
       {"LD_PRELOAD=/w/evil.so", "LD_AUDIT=/w/evil.so", "LD_PRELOAD=evil.so LD_LIBRARY_PATH=/w"}) {
    Job job{.arguments = {"/bin/sh", "-c", ":"}, .files_in = {{"evil.so", object}}};
    std::istringstream variables(way);
    for (std::string one; variables >> one;)
      job.environment.push_back(one);
    const Outcome outcome = attack(job);
    EXPECT_TRUE(outcome.output.starts_with("loaded\n")) << way << ": " << outcome;
    for (const std::string line : {"Seccomp:\t2\n", "NoNewPrivs:\t1\n",
                                   "CapEff:\t0000000000000000\n", "CapPrm:\t0000000000000000\n"})
      EXPECT_TRUE(outcome.output.contains(line)) << way << ": " << line << outcome;
  }
}

// The kernel's log from now on.
class KernelLog {
 public:
  KernelLog() : log_(::open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
    ::lseek(log_.get(), 0, SEEK_END);
  }
  [[nodiscard]] bool is_open() const { return log_.is_open(); }

  // Records that name a program; each read is one. The log is a ring: if it went round, some are
  // lost and that is a flood, too.
  Names records_with(const std::string& name) {
    Names found;
    std::array<char, 8192> record;
    for (ssize_t got = 0;;) {
      got = ::read(log_.get(), record.data(), record.size());
      EXPECT_FALSE(got < 0 && errno == EPIPE) << "the log was overrun";
      if (got < 0 && errno != EPIPE && errno != EINTR) return found;
      const std::string text(record.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
      if (text.contains(name)) found.push_back(text);
    }
  }

 private:
  os::OwnedFd log_;
};

// Ten of a kind in five seconds, is the kernel's own rule; a fault and a core that is not dumped
// are two kinds.
TEST_F(Attack47KernelLog, AFloodOfCrashesIsNotAFloodOfLines) {
  KernelLog log;
  if (!log.is_open())
    GTEST_SKIP() << "only root may read the kernel log of this host (kernel.dmesg_restrict)";
  const std::string name = random_word().substr(0, 14);  // as much of it as the kernel keeps
  const std::string program = os::read_whole(guest_path("crash_children")).value();
  const Outcome outcome = attack({.arguments = {"./" + name, "1000"},
                                  .files_in = {{name, program, true}},
                                  .limits = {.cpu_time = scaled(20s), .wall_time = scaled(60s)}});
  EXPECT_EQ(outcome.letters, "AC") << outcome;
  const Names records = log.records_with(name);
  EXPECT_LE(static_cast<long>(records.size()), 20 * (2 + outcome.facts.wall / 5s))
      << records.front();
}

}  // namespace
}  // namespace assay::test
