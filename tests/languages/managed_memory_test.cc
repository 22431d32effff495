// A runtime with a heap of its own knows its limit: it collects before it is killed.
#include "tests/languages/fixture.h"

namespace assay::test {
namespace {

class ManagedMemoryTest : public LanguageTest {};

TEST_P(ManagedMemoryTest, GarbageOfMoreThanTheLimitIsCollected) {
  const Built built = build("garbage");
  ASSERT_TRUE(built.good) << built.last;
  const Outcome outcome = run_built(built, "", 64_MiB);
  EXPECT_EQ(outcome.letters, "AC") << outcome;
}

TEST_P(ManagedMemoryTest, HalfOfTheLimitMayBeKept) {
  const Built built = build("keep");
  ASSERT_TRUE(built.good) << built.last;
  const Outcome outcome = run_built(built, "", 64_MiB);
  EXPECT_EQ(outcome.letters, "AC") << outcome;
}

INSTANTIATE_TEST_SUITE_P(Each, ManagedMemoryTest,
                         ::testing::Values("java", "javascript", "csharp", "go"),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace assay::test
