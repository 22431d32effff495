// `assay bench soak` through a daemon, and `assay bench neighbour`: the shape of what they report,
// and what holds on any machine. Times are the bench's own affair.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "tests/end_to_end/command.h"

namespace assay::test {
namespace {

class BenchCommand : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "full boxes need root here";
  }
  static Ran bench(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {assay_binary(), "bench"});
    return run_command(arguments);
  }
};

// The value of a promise, as the report writes it.
std::string promised(const std::string& json, const std::string& name) {
  const std::size_t at = json.find("\"name\":\"" + name + "\"");
  if (at == std::string::npos) return "not promised";
  return json_field(json.substr(at), "value");
}

TEST_F(BenchCommand, AShortSoakBesideHostileProgramsHasNoWrongVerdict) {
  const Ran ran = bench({"soak", "--minutes", "0.1", "--hostile", "--json"});
  ASSERT_TRUE(ran.code == 0 || ran.code == 1) << ran.err;  // 1: a promise about time or memory
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(promised(ran.out, "verdict_errors"), "0") << ran.out;
  for (const std::string what : {"stored_files", "directories", "stray_processes", "stray_cgroups"})
    EXPECT_EQ(promised(ran.out, what + "_growth"), "0") << ran.out;
  for (const std::string what : {"honest_cpu_inflation", "memory_growth", "descriptors_growth",
                                 "handles_per_box_growth", "mounts_in_box_growth"})
    EXPECT_NE(promised(ran.out, what), "not promised") << ran.out;
  for (const std::string what : {"honest_alone", "honest_beside_hostile", "honest_latency_p99_ms",
                                 "per_s", "forks", "held_at_rest", "boxes_after"})
    EXPECT_TRUE(ran.out.contains("\"" + what + "\"")) << what << ran.out;
}

TEST_F(BenchCommand, AnHonestSoakPromisesNoInflation) {
  const Ran ran = bench({"soak", "--minutes", "0.05", "--json"});
  ASSERT_TRUE(ran.code == 0 || ran.code == 1) << ran.err;
  EXPECT_EQ(promised(ran.out, "verdict_errors"), "0") << ran.out;
  EXPECT_EQ(promised(ran.out, "honest_cpu_inflation"), "not promised") << ran.out;
  EXPECT_FALSE(ran.out.contains("\"forks\"")) << ran.out;
}

TEST_F(BenchCommand, NeighboursOfEveryKindAreReported) {
  const Ran ran = bench({"neighbour", "--runs", "1", "--json"});
  ASSERT_TRUE(ran.code == 0 || ran.code == 1) << ran.err;
  for (const std::string kind : {"forks", "memory", "disk", "pipe_flood", "threads"})
    EXPECT_NE(promised(ran.out, "shift_beside_" + kind), "not promised") << ran.out;
  EXPECT_TRUE(ran.out.contains("\"roam_shift_median_percent\"")) << ran.out;
}

TEST(BenchMistake, IsOneLineAndTwo) {
  const struct {
    std::vector<std::string> arguments;
    const char* word;
  } rows[] = {
      {{"soak", "--minutes", "0.01"}, "--minutes"},
      {{"soak", "--minutes", "-1"}, "--minutes"},
      {{"soak", "--minutes", "nan"}, "--minutes"},
      {{"soak", "--minutes", "99999"}, "--minutes"},
      {{"http", "--minutes", "1"}, "'soak'"},
      {{"kill", "--hostile"}, "'soak'"},
      {{"soak", "--hostile", "--runs", "9"}, "exclude"},
      {{"nosuch"}, "nosuch"},
  };
  for (const auto& [arguments, word] : rows) {
    std::vector<std::string> argv{assay_binary(), "bench"};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    const Ran ran = run_command(argv);
    EXPECT_EQ(ran.code, 2) << arguments.back();
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
    EXPECT_TRUE(ran.err.contains(word)) << ran.err;
  }
}

}  // namespace
}  // namespace assay::test
