// Rows 18 and 30, and the like: kernel memory that no cgroup counts, marks on files that all boxes
// share, and a part of the machine that is not the box's own.
#include <fcntl.h>
#include <sys/mman.h>

#include <filesystem>

#include "os/file.h"
#include "tests/attacks/attack.h"

namespace assay::test {
namespace {

using Attack18Marks = Attack;
using Attack30Uncounted = Attack;

// In every box, and cached: whoever looks for it has read it.
const std::string kShared = std::filesystem::canonical("/usr/bin/env").string();

// All of it is tried each time, which takes seconds where the machine is emulated and busy.
const Job kUncounted{.guest = "use_uncounted",
                     .arguments = {kShared},
                     .limits = {.cpu_time = scaled(10s), .wall_time = scaled(30s)}};

std::size_t pages_in_memory(const std::string& path) {
  const os::OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const auto size = static_cast<std::size_t>(std::filesystem::file_size(path));
  void* mapped = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd.get(), 0);
  std::vector<unsigned char> pages((size + 4095) / 4096);
  EXPECT_EQ(::mincore(mapped, size, pages.data()), 0);
  ::munmap(mapped, size);
  return static_cast<std::size_t>(
      std::ranges::count_if(pages, [](unsigned char page) { return (page & 1) != 0; }));
}

TEST_F(Attack30Uncounted, IsNotToBeHad) {
  const Outcome outcome = attack(kUncounted);
  EXPECT_EQ(outcome.letters, "AC") << outcome;
  expect_refused(outcome, {"pair", "open the file"});
  for (const std::string what :
       {"setxattr", "setxattrat", "attach a filter", "filter itself", "map huge pages",
        "huge memory file", "merge pages", "init's clock"})
    EXPECT_NE(result_of(outcome, what), "") << what << " was not tried: " << outcome;
  for (const std::string what : {"setxattr", "lsetxattr", "fsetxattr"})
    EXPECT_EQ(result_of(outcome, what), "EOPNOTSUPP") << outcome;
}

// 77 MB that no cgroup counted by 400 000 of them, and half a second of CPU time for every
// neighbour that closed the same file of the host.
TEST_F(Attack30Uncounted, RecordLocksSucceedAndLockNothing) {
  const Outcome outcome = attack(kUncounted);
  EXPECT_EQ(outcome.letters, "AC") << outcome;
  for (const std::string what : {"record locks", "patient record locks", "locks of a description",
                                 "patient locks of a description"})
    EXPECT_EQ(result_of(outcome, what), "0, free") << what << outcome;
}

// 110 MiB of 400 000 of them, kept by mappings beyond any number of descriptors, and 0.7 ms of CPU
// time for each close of a neighbour. An exclusive one is alone on its file.
TEST_F(Attack30Uncounted, SharedLocksOfFilesLockNothingAndExclusiveOnesDo) {
  const Outcome outcome = attack(kUncounted);
  EXPECT_EQ(outcome.letters, "AC") << outcome;
  EXPECT_EQ(result_of(outcome, "shared locks"), "0, free") << outcome;
  EXPECT_EQ(result_of(outcome, "exclusive lock"), "held") << outcome;
  for (const std::string what : {"a mandatory lock", "an owner", "an owner of a kind", "a signal",
                                 "a signal with an upper half", "a name of a mapping"})
    EXPECT_EQ(result_of(outcome, what), "EINVAL") << what << outcome;
}

TEST_F(Attack30Uncounted, WorkOfInterruptsAndOfTheKernelsWorkersIsBounded) {
  const Outcome outcome = attack(kUncounted);
  EXPECT_EQ(outcome.letters, "AC") << outcome;
  EXPECT_EQ(result_of(outcome, "timers"), "256, EAGAIN") << outcome;
  for (const std::string what : {"rules of Landlock", "one more", "its domain"})
    EXPECT_EQ(result_of(outcome, what), "ENOSYS") << what << outcome;
}

TEST_F(Attack30Uncounted, NoModuleIsLoadedAndNoLockOfTheWholeHostTakenForAQuestion) {
  const Outcome outcome = attack(kUncounted);
  EXPECT_EQ(outcome.letters, "AC") << outcome;
  for (const std::string what : {"bridges", "bridges with an upper half", "a new bridge", "VLANs",
                                 "interfaces", "the index of an interface"})
    EXPECT_EQ(result_of(outcome, what), "ENOTTY") << what << outcome;
  EXPECT_EQ(result_of(outcome, "which pages are cached"), "ENOSYS") << outcome;
  EXPECT_EQ(result_of(outcome, "a pipe of notices"), "ENOPKG") << outcome;
}

TEST_F(Attack18Marks, AFileThatAllShareStaysInMemory) {
  std::ignore = os::read_whole(kShared);
  const std::size_t before = pages_in_memory(kShared);
  ASSERT_GT(before, 0U);
  const Outcome outcome = attack(kUncounted);
  EXPECT_EQ(outcome.letters, "AC") << outcome;
  for (const std::string what : {"advised", "flushed", "advised nobody", "flushed nobody"})
    EXPECT_EQ(result_of(outcome, what), "0") << what << outcome;
  EXPECT_GE(pages_in_memory(kShared), before);  // to a plain user the kernel says "all" of root's
}

}  // namespace
}  // namespace assay::test
