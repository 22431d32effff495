// Rows 1 to 4: links, and what is no file, where the engine copies in, copies out and cleans.
#include <cstdlib>
#include <map>
#include <set>

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
    for (const sandbox::FileError& error : outcome.facts.file_errors)
      EXPECT_EQ(error.error, ELOOP) << error.name << ": " << error.why;
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

// The table asks for ten seconds; a nightly run has the time.
Nanoseconds swapping_time() {
  const char* asked = std::getenv("ASSAY_ATTACK_SWAP_MS");
  return asked != nullptr ? std::atoi(asked) * 1ms : 0ms;
}

// Every round ends with a file or with a link in place, and which is chance: of a file we get what
// is in it, of a link the word for it.
TEST_F(Attack01LinksOut, SwappingFilesAndLinksWinsNoRace) {
  const std::string inner = "d" + open_.path().substr(open_.path().rfind('/'));
  const Job ends{.guest = "swap_links",
                 .arguments = {milliseconds(scaled(20ms)), open_.path()},
                 .files_out = {"out", inner}};
  Job is_cut_off = ends;
  is_cut_off.arguments[0] = "100000";
  is_cut_off.limits.wall_time = scaled(20ms);
  std::map<std::string, std::set<int>> seen;
  const auto rounds = std::max<long>(20, swapping_time() / scaled(20ms));
  const auto swapped = [&] {
    return !seen.empty() && std::ranges::all_of(seen, [](const auto& each) {
      return each.second == std::set{0, ELOOP};
    });
  };
  // On a busy machine chance has less to choose from.
  for (long round = 0; round < rounds || (round < 10 * rounds && !swapped()); ++round) {
    const Outcome outcome = attack(round % 2 == 0 ? ends : is_cut_off);
    std::map<std::string, int> errors;
    for (const sandbox::FileError& error : outcome.facts.file_errors)
      errors[error.name] = error.error;
    for (const auto& [name, content] : outcome.files) {
      EXPECT_EQ(content, errors[name] == 0 ? "mine" : "") << name << outcome;
      EXPECT_TRUE(errors[name] == 0 || errors[name] == ELOOP) << name << outcome;
      seen[name].insert(errors[name]);
    }
  }
  EXPECT_TRUE(swapped());
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
    EXPECT_EQ(result_of(mess, "socket"), "done") << mess;
    EXPECT_EQ(result_of(mess, "depth of /w"), "10000") << mess;
    EXPECT_EQ(result_of(mess, "depth of /tmp"), "10000") << mess;
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
