#include "config/recent.h"

#include <gtest/gtest.h>

namespace assay::config {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

TEST(Recent, ForgetsWhatWasUsedLongestAgoAndWhatIsTooOld) {
  const auto now = Clock::now();
  Recent<int, int> recent(3, 10s);
  recent.put(1, 10, 1, now);
  recent.put(2, 20, 1, now);
  recent.put(3, 30, 1, now);
  ASSERT_NE(recent.find(1, now), nullptr);
  recent.put(4, 40, 1, now + 5s);
  EXPECT_EQ(recent.find(2, now), nullptr);
  EXPECT_EQ(*recent.find(1, now), 10);
  EXPECT_EQ(recent.find(1, now + 10s), nullptr);
  EXPECT_EQ(*recent.find(4, now + 10s), 40);
}

TEST(Recent, ItsWeightIsBounded) {
  const auto now = Clock::now();
  Recent<int, int> recent(10, 10s);
  recent.put(1, 1, 4, now);
  recent.put(2, 2, 4, now);
  recent.put(3, 3, 8, now);
  EXPECT_EQ(recent.size(), 1U);
  recent.put(4, 4, 11, now);
  EXPECT_EQ(recent.find(4, now), nullptr);
  EXPECT_EQ(recent.weight(), 8U);
  recent.put(3, 5, 1, now);
  EXPECT_EQ(recent.weight(), 1U);
}

}  // namespace
}  // namespace assay::config
