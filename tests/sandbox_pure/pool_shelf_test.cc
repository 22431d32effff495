// Which of the boxes that wait are more than anybody needs. A box is a number here.
#include "sandbox/pool_shelf.h"

#include <gtest/gtest.h>

namespace assay::sandbox {
namespace {

class PoolShelf : public testing::Test {
 protected:
  void put(int count) {
    for (int i = 0; i < count; ++i)
      shelf_.put(std::make_unique<int>(next_++));
  }
  void use(int count) {  // at once
    std::list<std::unique_ptr<int>> lent;
    for (int i = 0; i < count; ++i)
      lent.push_back(shelf_.take(shelf_.boxes().begin()));
    for (std::unique_ptr<int>& box : lent)
      shelf_.put(std::move(box));
  }
  int retire_all(std::size_t spare) {
    int count = 0;
    while (shelf_.take_unneeded(spare))
      ++count;
    return count;
  }
  Shelf<int> shelf_;
  int next_ = 0;
};

TEST_F(PoolShelf, BoxesThatWaitedAWholePeriodAreNotNeeded) {
  put(80);
  shelf_.end_period(4);
  EXPECT_EQ(retire_all(4), 0) << "they came in this period";
  use(3);
  shelf_.end_period(4);
  EXPECT_EQ(retire_all(4), 73) << "three were used, four are spare";
  EXPECT_EQ(shelf_.boxes().size(), 7U);
}

// Throughput: whatever is used at once, be it once in a period, stays warm.
TEST_F(PoolShelf, AsManyAsWereInUseAtOnceStay) {
  put(16);
  shelf_.end_period(0);
  for (int period = 0; period < 5; ++period) {
    for (int round = 0; round < 100; ++round)
      use(1);
    use(16);
    shelf_.end_period(0);
    EXPECT_EQ(retire_all(0), 0);
  }
  EXPECT_EQ(shelf_.boxes().size(), 16U);
}

TEST_F(PoolShelf, OneThatIsNeededBeforeItsTurnIsNotRetired) {
  put(10);
  shelf_.end_period(0);
  shelf_.end_period(0);
  EXPECT_NE(shelf_.take_unneeded(0), nullptr);
  use(9);
  EXPECT_EQ(retire_all(0), 0);
  EXPECT_EQ(shelf_.boxes().size(), 9U);
}

TEST_F(PoolShelf, WhereABoxHadToBeMadeNoneIsTooMany) {
  put(10);
  shelf_.end_period(2);
  shelf_.lacks();  // all of them were still cleaning
  put(1);
  shelf_.end_period(2);
  EXPECT_EQ(retire_all(2), 0);
}

TEST_F(PoolShelf, SpareBoxesStayHoweverLongNobodyUsesThem) {
  put(4);
  for (int period = 0; period < 10; ++period)
    shelf_.end_period(4);
  EXPECT_EQ(retire_all(4), 0);
  EXPECT_EQ(shelf_.boxes().size(), 4U);
}

TEST_F(PoolShelf, TheOneThatWaitedLongestGoesFirst) {
  put(3);
  use(1);
  shelf_.end_period(0);
  shelf_.end_period(0);
  EXPECT_EQ(*shelf_.take_unneeded(0), 1);
}

}  // namespace
}  // namespace assay::sandbox
