// Honest programs beside hostile ones in other boxes: their verdicts are their own. How far their
// CPU time moves is measured by `assay bench neighbour`.
#include <atomic>
#include <cstdlib>
#include <functional>
#include <optional>
#include <thread>

#include "tests/support/box_test.h"

namespace assay::test {
namespace {

struct Kind {
  const char* name;
  Job job;
};

std::vector<Kind> neighbours() {
  const sandbox::Limits small{
      .cpu_time = 600s, .wall_time = 600s, .memory = 64_MiB, .processes = 80};
  return {
      {"a fork bomb", {.guest = "fork_bomb", .limits = small}},
      {"a memory hog", {.guest = "eat_memory", .arguments = {"private", "256"}, .limits = small}},
      {"a disk filler", {.guest = "fill_disk", .arguments = {"/w"}, .limits = small}},
      {"a filler of inodes",
       {.guest = "create_files_forever", .arguments = {"/w"}, .limits = small}},
      {"a flood of output", {.guest = "print_forever", .arguments = {"1", "2"}, .limits = small}},
      {"a flood into a file", {.guest = "write_file_forever", .arguments = {"x"}, .limits = small}},
      {"64 spinning threads", {.guest = "spin_in_threads", .arguments = {"64"}, .limits = small}},
  };
}

class Neighbours : public BoxTest {
 protected:
  // Runs it again and again until `act` has returned; it was at work before that began.
  void beside(const Job& job, const std::function<void()>& act) {
    sandbox::Control control;
    std::atomic<bool> over = false;
    std::atomic<int> ended = 0;
    std::optional<Error> failure;
    std::thread neighbour([&] {
      for (; !over && !failure; ++ended)
        if (const auto outcome = try_run(job, &control); !outcome) failure = outcome.error();
    });
    while (ended == 0 && control.usage().empty())
      std::this_thread::yield();
    act();
    over = true;
    control.cancel();
    neighbour.join();
    EXPECT_FALSE(failure) << "was alone: " << describe(*failure);
  }
};

TEST_F(Neighbours, ChangeNoVerdict) {
  NEEDS_METERS();
  // An emulated core stands still while the host has it do something else, and its guest counts
  // that.
  const bool emulated = std::getenv("ASSAY_VM") != nullptr;
  const std::string burn = milliseconds(scaled(50ms) / (emulated ? 4 : 1));
  for (const Kind& kind : neighbours()) {
    SCOPED_TRACE(kind.name);
    beside(kind.job, [&] {
      const Outcome right = run({.guest = "burn_cpu_ms",
                                 .arguments = {burn},
                                 .limits = {.cpu_time = scaled(100ms), .wall_time = scaled(120s)}});
      EXPECT_EQ(right.letters, "AC") << right;
      const Outcome slow = run({.guest = "spin_forever",
                                .limits = {.cpu_time = scaled(50ms), .wall_time = scaled(120s)}});
      EXPECT_EQ(slow.letters, "TLE") << slow;
      const Outcome large = run({.guest = "touch_memory_mib",
                                 .arguments = {"40"},
                                 .limits = {.wall_time = scaled(120s), .memory = 32_MiB}});
      EXPECT_EQ(large.letters, "MLE") << large;
      const Outcome fits = run({.guest = "touch_memory_mib",
                                .arguments = {"20"},
                                .limits = {.wall_time = scaled(120s), .memory = 32_MiB}});
      EXPECT_EQ(fits.letters, "AC") << fits;
      EXPECT_EQ(run({.guest = "segfault", .limits = {.wall_time = scaled(120s)}}).letters, "RE");
    });
  }
}

}  // namespace
}  // namespace assay::test
