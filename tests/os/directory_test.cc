#include "os/directory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace assay::os {
namespace {

TEST(Directory, NamesWhatIsInItAndNotItself) {
  const std::string place = ::testing::TempDir() + "names" + std::to_string(::getpid());
  std::filesystem::create_directories(place + "/below");
  std::ofstream(place + "/.hidden") << "x";
  auto names = names_in(place);
  std::filesystem::remove_all(place);
  ASSERT_TRUE(names) << describe(names.error());
  std::ranges::sort(*names);
  EXPECT_EQ(*names, (std::vector<std::string>{".hidden", "below"}));
}

TEST(Directory, OneThatCannotBeReadIsNamedInTheError) {
  const auto names = names_in("/proc/self/exe");
  ASSERT_FALSE(names);
  EXPECT_EQ(names.error().code, ENOTDIR);
  EXPECT_NE(names.error().context.find("/proc/self/exe"), std::string::npos);
}

}  // namespace
}  // namespace assay::os
