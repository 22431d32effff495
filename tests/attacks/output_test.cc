// Row 28: floods, and streams opened anew.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/attacks/attack.h"

namespace assay::test {
namespace {

using Attack28Floods = Attack;

long own_memory_kib() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST_F(Attack28Floods, NoStreamIsKeptPastItsLimit) {
  for (const std::vector<std::string>& streams :
       {std::vector<std::string>{"1"}, {"2"}, {"1", "2"}}) {
    const Outcome outcome =
        attack({.guest = "print_forever", .arguments = streams, .limits = {.output = 2_MiB}});
    EXPECT_EQ(outcome.letters, "OLE") << outcome;
    EXPECT_LE(outcome.output.size(), (2_MiB).count + 1);
    EXPECT_LE(outcome.errors.size(), (2_MiB).count + 1);
  }
}

TEST_F(Attack28Floods, AFloodThatNobodyKeepsTakesNoMemory) {
  const os::OwnedFd nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  const long before = own_memory_kib();
  Prepared job({.guest = "print_forever",
                .arguments = {"1"},
                .limits = {.cpu_time = scaled(10s), .output = 128_MiB}});
  job.spec.output = sandbox::Collect{.sink = nowhere.get()};
  const auto facts = engine().run(job.spec);
  ASSERT_TRUE(facts);
  EXPECT_EQ(letters_of(*facts), "OLE");
  EXPECT_LT(own_memory_kib() - before, 32 << 10);
}

TEST_F(Attack28Floods, AStreamOfAnotherNumberIsCountedToo) {
  const Outcome outcome =
      attack({.arguments = {"sh", "-c", "exec 9>&1; yes >&9"}, .limits = {.output = 1_MiB}});
  EXPECT_EQ(outcome.letters, "OLE") << outcome;
}

TEST_F(Attack28Floods, WritingToAClosedPipeIsTheProgramsOwnSignal) {
  os::Pipe pipe = os::make_pipe().value();
  pipe.read_end.reset();
  Prepared job({.guest = "print_forever", .arguments = {"1"}});
  job.spec.output = sandbox::Descriptor{pipe.write_end.get()};
  const auto facts = engine().run(job.spec);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->end, sandbox::End(sandbox::Signaled{SIGPIPE, false}));
}

// Programs may open "/dev/stdout". A pipe cannot be cut, emptied or sought in by that.
TEST_F(Attack28Floods, ACollectedStreamThatIsOpenedAnewLosesNothing) {
  const Outcome outcome = attack({.guest = "reopen_stdout"});
  EXPECT_EQ(result_of(outcome, "truncate"), "EINVAL") << outcome;
  for (const std::string way : {"append", "empty", "read"})
    EXPECT_EQ(result_of(outcome, way), "done") << way << ": " << outcome;
  EXPECT_EQ(lines_of(outcome.output).size(), 10U) << outcome;
  EXPECT_EQ(outcome.facts.output.bytes, outcome.output.size()) << outcome;
}

TEST_F(Attack28Floods, ThroughAStreamOpenedAnewAreCountedToo) {
  for (const std::string how : {"append", "empty", "both"}) {
    const Outcome outcome =
        attack({.guest = "flood_anew", .arguments = {how}, .limits = {.output = 1_MiB}});
    EXPECT_EQ(outcome.facts.cut_off_by, sandbox::CutOff::Output) << how << ": " << outcome;
    EXPECT_EQ(outcome.letters, "OLE") << how << ": " << outcome;
    EXPECT_LE(outcome.output.size(), (1_MiB).count + 1) << how;
    EXPECT_GE(outcome.output.size(), (1_MiB).count) << how;
  }
}

TEST_F(Attack28Floods, AFileOfOursCannotBeOpenedAnewOrGrowPastTheLimit) {
  NEEDS_OWN_IDS();
  const os::OwnedFd file(::open(open_.path().c_str(), O_RDONLY | O_CLOEXEC));
  Prepared job({.guest = "reopen_stdout", .limits = {.output = 1_MiB}});
  job.spec.input = sandbox::Descriptor{file.get()};
  ASSERT_TRUE(engine().run(job.spec));
  for (const std::string way :
       {"input", "input by name", "chmod input", "chown input", "link input", "write input"})
    EXPECT_NE(result_of(job.outcome, way), "done") << way;
}

TEST_F(Attack28Floods, ASeekPastTheLimitIsRefused) {
  const std::string program =
      "import os\ntry:\n  os.lseek(1, 1<<40, 0); os.write(1, b'x')\nexcept OSError as e:\n  "
      "os.write(2, str(e.errno).encode())";
  const os::OwnedFd file = file_of("");
  Prepared job({.arguments = {"python3", "-c", program}, .limits = {.output = 1_MiB}});
  job.spec.output = sandbox::Descriptor{file.get()};
  const auto facts = engine().run(job.spec);
  ASSERT_TRUE(facts);
  EXPECT_EQ(job.outcome.errors, std::to_string(EFBIG)) << job.outcome.errors;
  EXPECT_LE(::lseek(file.get(), 0, SEEK_END), 1 << 20);
}

}  // namespace
}  // namespace assay::test
