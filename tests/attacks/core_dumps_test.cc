// Row 46: core dumps, in the box and on the host.
#include <sys/resource.h>
#include <sys/sysinfo.h>

#include <filesystem>
#include <set>

#include "os/file.h"
#include "tests/attacks/attack.h"

namespace assay::test {
namespace {

namespace fs = std::filesystem;
using Attack46CoreDumps = Attack;

// Where this host would put one: where the engine is, and where its pattern says.
std::set<std::string> cores_of_the_host() {
  std::set<std::string> found;
  const fs::path pattern = os::read_whole("/proc/sys/kernel/core_pattern").value_or("");
  for (const fs::path& directory :
       {fs::current_path(), fs::path("/"), fs::path("/var/crash"),
        fs::path("/var/lib/apport/coredump"), fs::path("/var/lib/systemd/coredump"),
        pattern.is_absolute() ? pattern.parent_path() : "/"}) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(directory, error))
      if (entry.path().filename().string().contains("core")) found.insert(entry.path());
  }
  return found;
}

// A gigabyte, unless this machine is small.
std::uint64_t large_heap_mib() {
  struct sysinfo system{};
  ::sysinfo(&system);
  return std::min<std::uint64_t>(1024, system.freeram * system.mem_unit / 2 >> 20);
}

// Writing a gigabyte would take longer than touching it.
TEST_F(Attack46CoreDumps, OfALargeHeapAreNotMadeAndDelayNothing) {
  const std::set<std::string> before = cores_of_the_host();
  const std::string mib = std::to_string(large_heap_mib());
  const sandbox::Limits limits{.cpu_time = scaled(20s), .wall_time = scaled(60s), .memory = 2_GiB};
  Nanoseconds honest{}, aborted{};
  for (int i = 0; i < 3 && (i == 0 || aborted > 2 * honest); ++i) {
    const Outcome touches =
        run({.guest = "touch_memory_mib", .arguments = {mib}, .limits = limits});
    EXPECT_EQ(touches.letters, "AC") << touches;
    const Outcome aborts = attack({.guest = "abort_self", .arguments = {mib}, .limits = limits});
    EXPECT_EQ(aborts.facts.end, sandbox::End(sandbox::Signaled{SIGABRT, false})) << aborts;
    honest = touches.facts.wall;
    aborted = aborts.facts.wall;
  }
  EXPECT_LE(aborted, 2 * honest);
  EXPECT_EQ(cores_of_the_host(), before);
}

TEST_F(Attack46CoreDumps, AreInNoPlaceThatTheProgramCanWriteTo) {
  const std::string program = os::read_whole(guest_path("abort_self")).value();
  for (const std::string place : {"/w", "/tmp", "/dev/shm"}) {
    const Outcome outcome =
        attack({.arguments = {"sh", "-c",
                              "ulimit -c unlimited; cd " + place +
                                  "; /w/aborts 10; echo $?; find /w /tmp /dev/shm -type f"},
                .files_in = {{"aborts", program, true}}});
    EXPECT_EQ(outcome.output, "134\n/w/aborts\n") << outcome;
    EXPECT_FALSE(outcome.errors.contains("core dumped")) << outcome;
  }
}

// A core_pattern that pipes ignores a limit of 0: only 1 stops it (core(5)).
TEST_F(Attack46CoreDumps, TheLimitStopsPipedOnesToo) {
  const Outcome outcome = run({.guest = "show_limits"});
  EXPECT_TRUE(outcome.output.contains(std::to_string(RLIMIT_CORE) + " 1 1\n")) << outcome;
}

// The kernel pipes the core of a program whose limit is 0 to a helper, which is root's and not in
// the box; at exactly 1 it does not.
TEST_F(Attack46CoreDumps, NoProgramLowersTheLimitThatStopsPipedOnes) {
  for (const char* profile : {"default", "native", "python"}) {
    const Outcome outcome = attack({.guest = "lower_core_limit", .profile = profile});
    EXPECT_EQ(outcome.output, "1 1\n") << profile << outcome;
  }
}

}  // namespace
}  // namespace assay::test
