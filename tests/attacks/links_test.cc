// Rows 1 to 4: links, and what is no file, where the engine copies in, copies out and cleans.
#include "tests/attacks/attack.h"

namespace assay::test {
namespace {

using Attack01LinksOut = Attack;
using Attack02LinksIn = Attack;
using Attack03CleanUp = Attack;
using Attack04NoFile = Attack;

TEST_F(Attack01LinksOut, ALinkIsNeverFollowed) {
  for (const Canary* canary : {&open_, &closed_}) {
    const std::string directory = canary->path().substr(0, canary->path().rfind('/'));
    const std::string script = "ln -s " + canary->path() + " out; ln -s / d; ln -s " + directory +
                               " e; mkdir r; ln -s ../out r/s";
    const Outcome outcome = attack(
        {.arguments = {"sh", "-c", script},
         .files_out = {"out", "d/etc/passwd", "d" + canary->path(), "e/x", "r/s", "d", "./out"}});
    EXPECT_EQ(outcome.facts.file_errors.size(), 7U) << outcome;
    for (const auto& [name, content] : outcome.files)
      EXPECT_EQ(content, "") << name;
  }
}

TEST_F(Attack01LinksOut, ATrailingSlashIsNoWayAround) {
  const auto outcome =
      try_run({.arguments = {"ln", "-s", open_.path(), "out"}, .files_out = {"out/"}});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().fault, Fault::InvalidRequest);
}

TEST_F(Attack01LinksOut, SwappingFilesAndLinksWinsNoRace) {
  for (int round = 0; round < 10; ++round) {
    const Outcome outcome = attack({.guest = "swap_links",
                                    .arguments = {milliseconds(scaled(30ms)), open_.path()},
                                    .files_out = {"out"}});
    EXPECT_EQ(outcome.files.at("out"), "");
  }
  // Cut off in the middle of a swap.
  for (int round = 0; round < 10; ++round)
    attack({.guest = "swap_links",
            .arguments = {"100000", open_.path()},
            .files_out = {"out"},
            .limits = {.wall_time = scaled(20ms)}});
}

TEST_F(Attack02LinksIn, ALinkLeftByTheLastRunIsGone) {
  for (const Canary* canary : {&open_, &closed_}) {
    attack({.arguments = {"sh", "-c",
                          "ln -s " + canary->path() + " input.txt; ln -s " + canary->path() +
                              " guest; ln -s / d"}});
    const Outcome outcome = attack({.arguments = {"sh", "-c", "cat input.txt d/file"},
                                    .files_in = {{"input.txt", "mine"}, {"d/file", "too"}}});
    EXPECT_EQ(outcome.output, "minetoo") << outcome;
  }
}

TEST_F(Attack02LinksIn, LinksOfTheBoxItselfAreNotFollowed) {
  for (const std::string name : {"/dev/stdin", "/dev/fd/0", "/proc/self/cwd/x"}) {
    const auto outcome = try_run({.guest = "exit_code", .files_in = {{name, "x"}}});
    EXPECT_FALSE(outcome) << name;
  }
  expect_unharmed();
}

TEST_F(Attack03CleanUp, AMessIsCleanedWithoutTouchingTheHost) {
  for (int round = 0; round < 3; ++round) {
    const Outcome mess = attack({.guest = "leave_mess", .arguments = {open_.path()}});
    EXPECT_TRUE(mess.output.ends_with("left\n")) << mess;
    EXPECT_EQ(result_of(mess, "hard link"), "ENOENT") << mess;
    EXPECT_EQ(result_of(mess, "device"), "EPERM") << mess;
    const Outcome next = attack({.arguments = {"sh", "-c", "find /w /tmp /dev/shm"}});
    EXPECT_EQ(next.output, "/w\n/tmp\n/dev/shm\n") << next;
  }
}

TEST_F(Attack03CleanUp, AHardLinkToAFileOfTheHostIsRefused) {
  const Outcome outcome = attack({.guest = "leave_odd_files", .arguments = {"/usr/bin/env"}});
  EXPECT_EQ(result_of(outcome, "hard_outside"), "EXDEV") << outcome;
  EXPECT_EQ(result_of(outcome, "device"), "EPERM");
}

TEST_F(Attack04NoFile, AFifoWithoutAWriterDoesNotBlock) {
  const Outcome outcome =
      attack({.guest = "leave_odd_files", .files_out = {"fifo", "socket", "directory"}});
  ASSERT_EQ(outcome.facts.file_errors.size(), 3U) << outcome;
  for (const sandbox::FileError& error : outcome.facts.file_errors)
    EXPECT_TRUE(error.why.contains("not a regular file") || error.why.contains("directory"))
        << error.why;
  expect_unharmed();
}

}  // namespace
}  // namespace assay::test
