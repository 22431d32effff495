// Numbers of Normal-OJ's orders over several lives.
#include "wire/noj_number.h"

#include <gtest/gtest.h>

namespace assay::wire {
namespace {

TEST(NojNumber, IsItsDigest) {
  std::uint64_t last = 0;
  EXPECT_EQ(remember_noj_digest(noj_digest(7), last), 7U);
  for (const char* foreign : {"", "noj", "noj ", "noj -1", "noj 7x", "8d969eef6ecad3c2"})
    EXPECT_FALSE(remember_noj_digest(foreign, last)) << foreign;
  EXPECT_EQ(last, 7U);
}

// It once began below that of a submission that was resumed: the old result then was not dropped
// when the same submission came again, and could reach the back end after the new one.
TEST(NojNumber, OneThatComesAfterARestartIsHigherThanAllBefore) {
  std::uint64_t last = 5;  // by a clock that was set back
  EXPECT_EQ(remember_noj_digest(noj_digest(9), last), 9U);
  EXPECT_EQ(remember_noj_digest(noj_digest(7), last), 7U);
  EXPECT_EQ(++last, 10U);
}

TEST(NojNumber, TheClockOfThisLifeIsNotSetBackByAnOldOne) {
  std::uint64_t last = 100;
  EXPECT_EQ(remember_noj_digest(noj_digest(7), last), 7U);
  EXPECT_EQ(last, 100U);
}

}  // namespace
}  // namespace assay::wire
