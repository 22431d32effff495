// What clients write: names of any kind, and ids that may be meant badly.
#include <fcntl.h>

#include <set>
#include <string>
#include <vector>

#include "os/file.h"
#include "tests/store/fixture.h"

namespace assay::store {
namespace {

TEST_F(StoreTest, KeepsNamesAsTheyAre) {
  Store store = *Store::open(options());
  const std::vector<std::string> names{"",
                                       " ",
                                       "ünï¢ødé/文件",
                                       "../../etc/passwd",
                                       "/abs",
                                       "line\nbreak\r",
                                       "tab\t ",
                                       "\xff\xfe bad",
                                       std::string("nul\0byte", 8),
                                       std::string(5000, 'n'),
                                       "%s%n"};
  std::vector<std::string> ids;
  for (const std::string& name : names)
    ids.push_back(*store.add(name, "x"));
  Store other = *Store::open(options());
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(store.get(ids[i])->name, names[i]);
    EXPECT_EQ(other.get(ids[i])->name, names[i]);
  }
  std::multiset<std::string> listed;
  for (const Listed& file : store.list())
    listed.insert(file.name);
  EXPECT_EQ(listed, std::multiset<std::string>(names.begin(), names.end()));
  for (const std::string& id : ids)
    EXPECT_TRUE(store.remove(id));
  EXPECT_EQ(entries(path() + "/blobs") + entries(path() + "/ids"), 0U);
}

TEST_F(StoreTest, RefusesANameThatIsLongerThanAnyFileName) {
  Store store = *Store::open(options());
  const auto id = store.add(std::string((64U << 10U) + 1, 'n'), "x");
  ASSERT_FALSE(id);
  EXPECT_EQ(id.error().fault, Fault::InvalidRequest);
  EXPECT_TRUE(store.add(std::string(64U << 10U, 'n'), "x"));
}

TEST_F(StoreTest, SaysNotFoundToHostileIds) {
  Store store = *Store::open(options());
  ASSERT_TRUE(store.add("a", "x"));
  ASSERT_TRUE(os::open(path() + "/AAAAAAAA", O_CREAT | O_WRONLY, 0600));
  const std::vector<std::string> ids{"",
                                     "../x",
                                     "../../etc/passwd",
                                     "/etc/passwd",
                                     "short",
                                     "abcdefgh",
                                     "AAAAAAA1",
                                     "AAAAAAAA/",
                                     ".",
                                     "..",
                                     std::string(65, 'A'),
                                     "AAAAAAAA",
                                     "lock",
                                     "ids",
                                     std::string(1U << 20U, 'A'),
                                     "\n",
                                     "AAAAAAAA\n",
                                     std::string("AAAAAAAA\0", 9)};
  for (const std::string& id : ids) {
    const auto opened = store.get(id);
    ASSERT_FALSE(opened) << id.substr(0, 20);
    EXPECT_EQ(opened.error().fault, Fault::NotFound);
    EXPECT_LT(opened.error().context.size(), 200U);
    const Status removed = store.remove(id);
    ASSERT_FALSE(removed);
    EXPECT_EQ(removed.error().fault, Fault::NotFound);
  }
  EXPECT_TRUE(exists(path() + "/AAAAAAAA"));
  EXPECT_EQ(store.list().size(), 1U);
}

}  // namespace
}  // namespace assay::store
