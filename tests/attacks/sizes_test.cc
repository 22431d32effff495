// Rows 5 and 6: sizes and names.
#include <sys/resource.h>

#include "tests/attacks/attack.h"

namespace assay::test {
namespace {

using Attack05HugeFiles = Attack;
using Attack06Names = Attack;

long own_memory_kib() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST_F(Attack05HugeFiles, AnAllocatedFileIsRefusedBySizeAndATerabyteIsNotAllocated) {
  const Outcome outcome = attack({.guest = "leave_odd_files",
                                  .files_out = {"allocated"},
                                  .out_limit = 1_MiB,
                                  .limits = {.output = Bytes{1ULL << 42}}});
  EXPECT_EQ(result_of(outcome, "allocated"), "done") << outcome;
  EXPECT_EQ(result_of(outcome, "terabyte"), "ENOSPC") << outcome;
  ASSERT_EQ(outcome.facts.file_errors.size(), 1U);
  EXPECT_EQ(outcome.facts.file_errors[0].error, EFBIG);
  EXPECT_EQ(outcome.files.at("allocated"), "");
}

TEST_F(Attack05HugeFiles, ASparseTerabyteIsRefusedBeforeItIsRead) {
  const long before = own_memory_kib();
  const Outcome outcome = attack({.guest = "leave_odd_files",
                                  .files_out = {"sparse"},
                                  .out_limit = 1_MiB,
                                  .limits = {.output = Bytes{1ULL << 42}}});
  EXPECT_EQ(result_of(outcome, "sparse"), "done") << outcome;
  ASSERT_EQ(outcome.facts.file_errors.size(), 1U);
  EXPECT_EQ(outcome.facts.file_errors[0].error, EFBIG);
  EXPECT_LT(own_memory_kib() - before, 64 << 10);
}

TEST_F(Attack05HugeFiles, ALargeFileIsCopiedWithoutTakingMemory) {
  const long before = own_memory_kib();
  Prepared job({.arguments = {"sh", "-c", "head -c 200000000 /dev/zero > large"},
                .limits = {.output = 256_MiB}});
  const os::OwnedFd sink = file_of("");
  job.spec.files_out = {{"large", sink.get(), 256_MiB}};
  const auto facts = engine().run(job.spec);
  ASSERT_TRUE(facts);
  EXPECT_TRUE(facts->file_errors.empty());
  EXPECT_LT(own_memory_kib() - before, 64 << 10);
}

TEST_F(Attack06Names, OnesThatLeaveAreInvalidRequestsInAndOut) {
  const std::vector<std::string> names = {"../x",
                                          "../../../../tmp/x",
                                          "a/../../b",
                                          "..",
                                          "a/b/..",
                                          std::string("x\0/y", 4),
                                          std::string(4096, 'n'),
                                          std::string(300, 'n') + "/x",
                                          "",
                                          "/../x",
                                          "/w/../../x"};
  for (const std::string& name : names) {
    const auto in = try_run({.guest = "exit_code", .files_in = {{name, "x"}}});
    const auto out = try_run({.guest = "exit_code", .files_out = {name}});
    ASSERT_FALSE(in) << name;
    ASSERT_FALSE(out) << name;
    EXPECT_EQ(in.error().fault, Fault::InvalidRequest) << name;
    EXPECT_EQ(out.error().fault, Fault::InvalidRequest) << name;
  }
  expect_unharmed();
}

TEST_F(Attack06Names, APathOfTheLongestKindIsEitherMadeOrRefused) {
  std::string deep;
  while (deep.size() + 252 < 4090)
    deep += std::string(250, 'd') + "/";
  const auto outcome = try_run({.guest = "list_files", .files_in = {{deep + "x", "12345"}}});
  EXPECT_TRUE(outcome || outcome.error().fault == Fault::InvalidRequest)
      << describe(outcome.error());
  expect_unharmed();
}

TEST_F(Attack06Names, AnAbsoluteNameNeverMeansTheHost) {
  const Outcome outcome =
      attack({.guest = "exit_code", .files_out = {open_.path(), closed_.path(), "/etc/shadow"}});
  EXPECT_EQ(outcome.facts.file_errors.size(), 3U) << outcome;
}

// What a process of the engine shows of itself there, its registers too, is nobody's output.
TEST_F(Attack06Names, NothingOfProcIsTakenOut) {
  for (int round = 0; round < 50; ++round) {
    const Outcome outcome = attack(
        {.guest = "exit_code", .files_out = {"/proc/1/maps", "/proc/1/syscall", "/proc/1/status"}});
    for (const auto& [name, content] : outcome.files)
      ASSERT_EQ(content, "") << name << " in round " << round;
  }
}

}  // namespace
}  // namespace assay::test
