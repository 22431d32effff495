// Profile "none": no isolation, for programs one trusts. Limits and clean-up hold all the same.
#include <filesystem>

#include "tests/support/box_test.h"
#include "tests/support/traces.h"

namespace assay::test {
namespace {

using sandbox::BoxMode;
using sandbox::CutOff;
using sandbox::Exited;

class Bare : public BoxTest {
 protected:
  Outcome run_bare(Job job) {
    job.profile = "none";
    return run(job);
  }
};

TEST_F(Bare, EveryResultSaysThatThereWasNoBox) {
  const Outcome outcome = run_bare({.guest = "exit_code", .arguments = {"4"}});
  EXPECT_TRUE(ended_as(outcome, Exited{4})) << outcome;
  EXPECT_EQ(outcome.facts.box, BoxMode::None);
}

TEST_F(Bare, FilesGoInAndOutOfADirectoryOfItsOwn) {
  const Outcome outcome = run_bare({.arguments = {"sh", "-c", "cat d/in > out; pwd"},
                                    .files_in = {{"d/in", "text"}},
                                    .files_out = {"out"}});
  EXPECT_EQ(outcome.files.at("out"), "text") << outcome;
  EXPECT_FALSE(std::filesystem::exists(outcome.output.substr(0, outcome.output.find('\n'))));
}

TEST_F(Bare, AnEndlessLoopIsCutOff) {
  const Outcome outcome = run_bare(
      {.guest = "spin_forever", .limits = {.cpu_time = scaled(300ms), .wall_time = scaled(20s)}});
  EXPECT_EQ(outcome.facts.cut_off_by, CutOff::Cpu) << outcome;
  EXPECT_EQ(outcome.letters, "TLE") << outcome;
}

TEST_F(Bare, ASleeperIsCutOff) {
  const Outcome outcome =
      run_bare({.guest = "sleep_forever", .limits = {.wall_time = scaled(200ms)}});
  EXPECT_EQ(outcome.facts.cut_off_by, CutOff::Wall) << outcome;
}

TEST_F(Bare, EndlessOutputIsCutOff) {
  const Outcome outcome =
      run_bare({.guest = "print_forever", .arguments = {"1"}, .limits = {.output = 1_MiB}});
  EXPECT_EQ(outcome.letters, "OLE") << outcome;
}

TEST_F(Bare, ADaemonIsDeadWhenTheRunIsOver) {
  const std::string mark = random_word();
  run_bare({.guest = "daemonize_grandchild", .arguments = {"1", mark}});
  EXPECT_EQ(processes_with(mark), std::vector<int>{});
}

TEST_F(Bare, ATreeIsDeadWhenItsLimitIsReached) {
  const std::string mark = random_word();
  run_bare(
      {.guest = "hold_mark", .arguments = {mark, "5"}, .limits = {.wall_time = scaled(200ms)}});
  EXPECT_EQ(processes_with(mark), std::vector<int>{});
}

TEST_F(Bare, TheEnvironmentIsNotOurs) {
  ::setenv("ASSAY_TEST_SECRET", "secret", 1);
  EXPECT_FALSE(run_bare({.guest = "print_arguments"}).output.contains("secret"));
}

}  // namespace
}  // namespace assay::test
