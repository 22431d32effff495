#include "sandbox/warden/ready.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "os/file.h"

namespace assay::sandbox::warden {
namespace {

bool same(const std::vector<sock_filter>& a, const std::vector<sock_filter>& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), a.size() * sizeof(sock_filter)) == 0;
}

TEST(Ready, EveryShippedFilterIsThereAndIsWhatCompilingItGives) {
  unsigned seen = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(ASSAY_SOURCE_DIR) + "/profiles/seccomp")) {
    const auto json = os::read_whole(entry.path());
    ASSERT_TRUE(json);
    const auto ready = find_ready(*json);
    ASSERT_TRUE(ready) << entry.path();
    const auto compiled = compile_filter(*json);
    ASSERT_TRUE(compiled);
    EXPECT_TRUE(same(ready->program, compiled->program)) << entry.path();
    EXPECT_EQ(ready->key_high, compiled->key_high);
    EXPECT_EQ(ready->key_low, compiled->key_low);
    EXPECT_EQ(ready->listens, compiled->listens);
    EXPECT_EQ(ready->watched, compiled->watched);
    EXPECT_EQ(ready->knows_ipc, compiled->knows_ipc);
    ++seen;
  }
  EXPECT_GT(seen, 0U);
}

TEST(Ready, AFileThatDiffersByOneByteIsNotThere) {
  ASSERT_FALSE(ready_filters().empty());
  EXPECT_FALSE(find_ready(std::string(ready_filters().front().json) + " "));
  EXPECT_FALSE(find_ready(""));
}

}  // namespace
}  // namespace assay::sandbox::warden
