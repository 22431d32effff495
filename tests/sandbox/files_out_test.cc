#include "tests/support/box_test.h"
#include "tests/support/traces.h"

namespace assay::test {
namespace {

using FilesOut = BoxTest;

int error_of(const Outcome& outcome, const std::string& name) {
  for (const sandbox::FileError& error : outcome.facts.file_errors)
    if (error.name == name) return error.error;
  return 0;
}

TEST_F(FilesOut, ARegularFileIsTakenOut) {
  const Outcome outcome =
      run({.arguments = {"sh", "-c", "echo one > a; mkdir d; echo two > d/b; echo three > /tmp/c"},
           .files_out = {"a", "d/b", "/tmp/c"}});
  EXPECT_EQ(outcome.files, (std::map<std::string, std::string>{
                               {"a", "one\n"}, {"d/b", "two\n"}, {"/tmp/c", "three\n"}}));
  EXPECT_TRUE(outcome.facts.file_errors.empty()) << outcome;
}

TEST_F(FilesOut, AMissingFileIsReportedAndTheOthersAreTaken) {
  const Outcome outcome =
      run({.guest = "leave_odd_files", .files_out = {"missing", "good", "no/such/place"}});
  EXPECT_EQ(error_of(outcome, "missing"), ENOENT) << outcome;
  EXPECT_EQ(error_of(outcome, "no/such/place"), ENOENT);
  EXPECT_EQ(outcome.files.at("good"), "good");
}

TEST_F(FilesOut, WhatIsNoRegularFileIsRefusedWithoutWaiting) {
  const Outcome outcome =
      run({.guest = "leave_odd_files",
           .files_out = {"fifo", "directory", "socket", "link", "good_link", "loop",
                         "directory_link/inner", "root/etc/passwd", "up/w/good", "magic/etc/passwd",
                         "good/x", "/dev/zero", "/proc/self/status"}});
  for (const std::string name : {"fifo", "socket", "/dev/zero"})
    EXPECT_TRUE(error_of(outcome, name) == EINVAL || error_of(outcome, name) == ENXIO)
        << name << outcome;
  EXPECT_EQ(error_of(outcome, "directory"), EISDIR);
  for (const std::string name : {"link", "good_link", "loop", "directory_link/inner",
                                 "root/etc/passwd", "up/w/good", "magic/etc/passwd"})
    EXPECT_EQ(error_of(outcome, name), ELOOP) << name;
  EXPECT_EQ(error_of(outcome, "good/x"), ENOTDIR);
  EXPECT_NE(error_of(outcome, "/proc/self/status"), 0);
  for (const auto& [name, content] : outcome.files)
    EXPECT_EQ(content, "") << name;
}

TEST_F(FilesOut, AHardLinkOfAnOwnFileIsAFile) {
  const Outcome outcome = run({.guest = "leave_odd_files", .files_out = {"hard"}});
  EXPECT_EQ(outcome.files.at("hard"), "good") << outcome;
}

TEST_F(FilesOut, AFileWithoutPermissionsIsStillTheCallers) {
  const Outcome outcome = run({.guest = "leave_odd_files", .files_out = {"locked"}});
  EXPECT_TRUE(outcome.facts.file_errors.empty()) << outcome;
}

TEST_F(FilesOut, AHugeSparseFileIsRefusedBySize) {
  const Outcome outcome = run({.guest = "leave_odd_files",
                               .files_out = {"sparse"},
                               .limits = {.output = Bytes{1ULL << 41}}});
  EXPECT_TRUE(outcome.output.contains("sparse: done")) << outcome;
  EXPECT_EQ(error_of(outcome, "sparse"), EFBIG) << outcome;
  EXPECT_EQ(outcome.files.at("sparse"), "");
}

TEST_F(FilesOut, TheLimitIsTheLargestSize) {
  const Job job{
      .arguments = {"sh", "-c", "head -c 1000 /dev/zero > fits; head -c 1001 /dev/zero > large"},
      .files_out = {"fits", "large"},
      .out_limit = 1000_B};
  const Outcome outcome = run(job);
  EXPECT_EQ(outcome.files.at("fits").size(), 1000U);
  EXPECT_EQ(error_of(outcome, "large"), EFBIG) << outcome;
}

TEST_F(FilesOut, AreTakenAfterACrashAndAfterACutOff) {
  const Outcome crashed =
      run({.arguments = {"sh", "-c", "echo x > f; kill -9 $$"}, .files_out = {"f"}});
  EXPECT_EQ(crashed.files.at("f"), "x\n") << crashed;
  const Outcome cut = run({.arguments = {"sh", "-c", "echo x > f; while :; do :; done"},
                           .files_out = {"f"},
                           .limits = {.cpu_time = scaled(200ms)}});
  EXPECT_EQ(cut.letters, "TLE") << cut;
  EXPECT_EQ(cut.files.at("f"), "x\n") << cut;
}

TEST_F(FilesOut, TheNextRunFindsNothingOfThem) {
  run({.guest = "leave_odd_files", .files_out = {"good"}});
  const Outcome next =
      run({.arguments = {"sh", "-c", "ls -A /w /tmp /dev/shm"}, .files_out = {"good"}});
  EXPECT_EQ(next.output, "/dev/shm:\n\n/tmp:\n\n/w:\n") << next;
  EXPECT_EQ(error_of(next, "good"), ENOENT);
}

TEST_F(FilesOut, ANameThatLeavesTheBoxIsAnInvalidRequest) {
  for (const std::string name : {"../x", "a/../../b", "out/", "", "/"}) {
    const auto outcome = try_run({.guest = "exit_code", .files_out = {name}});
    ASSERT_FALSE(outcome) << name;
    EXPECT_EQ(outcome.error().fault, Fault::InvalidRequest);
  }
}

TEST_F(FilesOut, ABackslashIsALetterOfAName) {
  const Outcome outcome =
      run({.arguments = {"sh", "-c", "echo x > '..\\y'"}, .files_out = {"..\\y"}});
  EXPECT_EQ(outcome.files.at("..\\y"), "x\n") << outcome;
}

}  // namespace
}  // namespace assay::test
