// The four lines of `sandbox`'s result file, and the order of its decisions.
#include <gtest/gtest.h>
#include <signal.h>

#include "verdict/noj_lines.h"

namespace assay::verdict {
namespace {

using std::chrono_literals::operator""ms;
using sandbox::CutOff;
using sandbox::Exited;
using sandbox::Forbidden;
using sandbox::NotStarted;
using sandbox::Signaled;

struct Case {
  const char* about;
  sandbox::Facts facts;
  const char* lines;
};

sandbox::Facts run(sandbox::End end, CutOff cut = CutOff::None, Nanoseconds user = 20ms,
                   Bytes peak = 1_MiB, std::uint64_t oom_kills = 0) {
  return {.end = std::move(end),
          .cut_off_by = cut,
          .cpu_user = user,
          .memory_peak = peak,
          .oom_kills = oom_kills};
}

TEST(NojLines, AreDecidedInTheOriginalsOrder) {
  const NojLimits limits{.time = 1000ms, .memory = 64_MiB};
  const Case cases[] = {
      {"all is well", run(Exited{0}), "Exited Normally\nWIFEXITED - WEXITSTATUS() = 0\n20\n1024\n"},
      {"another exit code", run(Exited{3}), "RE\nWIFEXITED - WEXITSTATUS() = 3\n20\n1024\n"},
      {"a crash", run(Signaled{SIGSEGV}),
       "RE\nWEXITSTATUS() = 0, WTERMSIG() = 11 (Segmentation fault)\n20\n1024\n"},
      {"a forbidden call", run(Forbidden{2}),
       "RE\nWEXITSTATUS() = 0, WTERMSIG() = 31 (Bad system call)\n20\n1024\n"},
      {"just at the time limit", run(Exited{0}, CutOff::None, 1000ms),
       "Exited Normally\nWIFEXITED - WEXITSTATUS() = 0\n1000\n1024\n"},
      {"past the time limit on its own", run(Exited{0}, CutOff::None, 1001ms),
       "TLE\nWEXITSTATUS() = 0\n1001\n1024\n"},
      {"too long before a wrong exit code", run(Exited{1}, CutOff::None, 1200ms, 65_MiB),
       "TLE\nWEXITSTATUS() = 1\n1200\n66560\n"},
      {"the watcher's time is the limit's", run(Signaled{SIGKILL}, CutOff::Wall, 1250ms),
       "TLE\nWEXITSTATUS() = 0, WTERMSIG() = 9 (Killed)\n1300\n1024\n"},
      {"a sleeper", run(Signaled{SIGKILL}, CutOff::Wall, 1ms),
       "TLE\nWEXITSTATUS() = 0, WTERMSIG() = 9 (Killed)\n1300\n1024\n"},
      {"the CPU limit", run(Signaled{SIGKILL}, CutOff::Cpu, 900ms),
       "TLE\nWEXITSTATUS() = 0, WTERMSIG() = 24 (CPU time limit exceeded)\n900\n1024\n"},
      {"its own SIGXCPU", run(Signaled{SIGXCPU}),
       "TLE\nWEXITSTATUS() = 0, WTERMSIG() = 24 (CPU time limit exceeded)\n20\n1024\n"},
      {"too much output", run(Signaled{SIGKILL}, CutOff::Output),
       "OLE\nWEXITSTATUS() = 0, WTERMSIG() = 25 (File size limit exceeded)\n20\n1024\n"},
      {"output before memory", run(Signaled{SIGXFSZ}, CutOff::None, 20ms, 65_MiB),
       "OLE\nWEXITSTATUS() = 0, WTERMSIG() = 25 (File size limit exceeded)\n20\n66560\n"},
      {"time before output", run(Signaled{SIGXFSZ}, CutOff::None, 1001ms),
       "TLE\nWEXITSTATUS() = 0, WTERMSIG() = 25 (File size limit exceeded)\n1001\n1024\n"},
      {"memory and a good exit", run(Exited{0}, CutOff::None, 20ms, 65_MiB),
       "MLE\nWEXITSTATUS() = 0\n20\n66560\n"},
      {"memory exactly at the limit", run(Exited{0}, CutOff::None, 20ms, 64_MiB),
       "Exited Normally\nWIFEXITED - WEXITSTATUS() = 0\n20\n65536\n"},
      {"memory before a crash", run(Signaled{SIGSEGV}, CutOff::None, 20ms, 65_MiB),
       "MLE\nWEXITSTATUS() = 0, WTERMSIG() = 11 (Segmentation fault)\n20\n66560\n"},
      {"the kernel ended it for memory", run(Signaled{SIGKILL}, CutOff::Memory, 20ms, 64_MiB, 1),
       "MLE\nWEXITSTATUS() = 0, WTERMSIG() = 9 (Killed)\n20\n65536\n"},
      {"it never started", run(NotStarted{"execute", "./main", ENOENT}),
       "RE\nWIFEXITED - WEXITSTATUS() = 1\n20\n1024\n"},
  };
  for (const Case& each : cases)
    EXPECT_EQ(noj_lines(each.facts, limits), each.lines) << each.about;
}

TEST(NojLines, OfARunThatWeFailedToMake) {
  EXPECT_EQ(noj_failure_lines(), "RE\nwait4() = -1\n0\n0\n");
}

}  // namespace
}  // namespace assay::verdict
