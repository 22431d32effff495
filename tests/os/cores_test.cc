#include "os/cores.h"

#include <gtest/gtest.h>

namespace assay::os {
namespace {

TEST(Cores, AThreadStaysOnOneAndGoesBack) {
  const std::vector<unsigned> all = usable_cores();
  ASSERT_FALSE(all.empty());
  const std::vector<unsigned> last{all.back()};
  {
    const Stay stay(last);
    EXPECT_EQ(usable_cores(), last);
  }
  EXPECT_EQ(usable_cores(), all);
}

TEST(Cores, NoneChangesNothing) {
  const std::vector<unsigned> all = usable_cores();
  {
    const Stay stay({});
    EXPECT_EQ(usable_cores(), all);
  }
  EXPECT_EQ(usable_cores(), all);
}

TEST(Cores, OneThatIsNotThereChangesNothing) {
  const std::vector<unsigned> all = usable_cores();
  const std::vector<unsigned> beyond{CPU_SETSIZE + 5U};
  const Stay stay(beyond);
  EXPECT_EQ(usable_cores(), all);
}

}  // namespace
}  // namespace assay::os
