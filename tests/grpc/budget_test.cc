#include "transport/grpc_module/budget.h"

#include <gtest/gtest.h>

namespace assay::transport::module {
namespace {

// A few large calls kept everybody else out.
TEST(LastEighth, IsForThoseWhoWantLittle) {
  Budget budget(8_MiB);
  const auto large = budget.take(7_MiB);
  ASSERT_TRUE(large);
  EXPECT_FALSE(budget.take({kSmallMessage + 1}));
  const auto small = budget.take({kSmallMessage});
  EXPECT_TRUE(small);
}

TEST(LastEighth, IsNotForAShareThatGrowsInSmallSteps) {
  Budget budget(8_MiB);
  const auto large = budget.take(7_MiB);
  ASSERT_TRUE(large);
  auto share = budget.none();
  EXPECT_TRUE(share.cover(kSmallMessage));
  EXPECT_FALSE(share.cover(kSmallMessage + 1));
  EXPECT_TRUE(budget.take({kSmallMessage}));
}

TEST(LastEighth, EndsToo) {
  Budget budget(1_MiB);
  auto share = budget.none();
  ASSERT_TRUE(share.cover(896 << 10));
  const auto one = budget.take({kSmallMessage}), two = budget.take({kSmallMessage});
  EXPECT_TRUE(one && two);
  EXPECT_FALSE(budget.take({1}));
}

}  // namespace
}  // namespace assay::transport::module
