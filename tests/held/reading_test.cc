#include "held/reading.h"

#include <gtest/gtest.h>
#include <limits.h>
#include <signal.h>

#include <algorithm>

namespace assay::held {
namespace {

using sandbox::CutOff;
using sandbox::Facts;

TEST(HeldReading, IsThreeLinesOfMicrosecondsBytesAndText) {
  EXPECT_EQ(status_lines({.cpu = Nanoseconds(1'234'567'890), .memory_now = {4096}}),
            "1234567\n4096\nrunning normally\n");
  EXPECT_EQ(status_lines({}), "0\n0\nrunning normally\n");
}

struct Told {
  Facts facts;
  const char* text;
};

TEST(HeldReading, TellsEveryEndInTheWordsOfTheProtocol) {
  const Told table[] = {
      {{.end = sandbox::Exited{0}}, "exited normally"},
      {{.end = sandbox::Exited{3}}, "exited with status 3"},
      {{.end = sandbox::Signaled{SIGSEGV}},
       "interrupted by signal 11 - SIGSEGV - Segmentation fault"},
      {{.end = sandbox::Signaled{SIGABRT, true}}, "interrupted by signal 6 - SIGABRT"},
      {{.end = sandbox::Signaled{SIGKILL}}, "interrupted by signal 9 - SIGKILL"},
      {{.end = sandbox::Forbidden{101}}, "interrupted by signal 31 - SIGSYS - Bad system call"},
      {{.end = sandbox::Signaled{SIGKILL}, .cut_off_by = CutOff::Cpu},
       "interrupted by signal 9 - SIGKILL, killed because: cpu time limit exceeded"},
      {{.end = sandbox::Signaled{SIGKILL}, .cut_off_by = CutOff::Wall},
       "interrupted by signal 9 - SIGKILL, killed because: wall time limit exceeded"},
      {{.end = sandbox::Signaled{SIGKILL}, .cut_off_by = CutOff::Memory},
       "interrupted by signal 9 - SIGKILL, killed because: memory limit exceeded"},
      {{.end = sandbox::Signaled{SIGKILL}, .cut_off_by = CutOff::Output},
       "interrupted by signal 9 - SIGKILL, killed because: output limit exceeded"},
      {{.end = sandbox::Signaled{SIGKILL}, .cut_off_by = CutOff::Terminated},
       "interrupted by signal 9 - SIGKILL, killed because: forced termination"},
  };
  for (const Told& row : table)
    EXPECT_EQ(describe_end(row.facts), row.text);
}

TEST(HeldReading, BlamesNoLimitForWhatAProgramDidByItself) {
  EXPECT_EQ(describe_end({.end = sandbox::Exited{0}, .cut_off_by = CutOff::Terminated}),
            "exited normally");
  EXPECT_EQ(describe_end({.end = sandbox::Signaled{SIGSEGV}, .cut_off_by = CutOff::Cpu}),
            "interrupted by signal 11 - SIGSEGV - Segmentation fault");
}

TEST(HeldReading, KnowsAForcedEndFromANormalOne) {
  EXPECT_TRUE(was_forced({.end = sandbox::Signaled{SIGKILL}, .cut_off_by = CutOff::Terminated}));
  EXPECT_FALSE(was_forced({.end = sandbox::Exited{0}, .cut_off_by = CutOff::Terminated}));
  EXPECT_FALSE(was_forced({.end = sandbox::Signaled{SIGKILL}, .cut_off_by = CutOff::Cpu}));
}

TEST(HeldReading, OfAProgramThatNeverRanStaysOneShortLine) {
  EXPECT_EQ(describe_no_start("it does not compile"), "not started: it does not compile");
  const std::string hostile = describe_no_start("a\nb\r\033[2J\x7f" + std::string(100'000, 'x'));
  EXPECT_EQ(hostile.rfind("not started: a b  [2J xxx", 0), 0U) << hostile.substr(0, 60);
  EXPECT_EQ(std::ranges::count(status_lines({.text = hostile}), '\n'), 3);
  EXPECT_LT(status_lines({.text = hostile}).size(), static_cast<std::size_t>(PIPE_BUF));
}

}  // namespace
}  // namespace assay::held
