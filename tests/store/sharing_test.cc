// Several stores, in one process or in several, on one directory; and what happens when they die.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>

#include "os/file.h"
#include "tests/store/fixture.h"

namespace assay::store {
namespace {

// A process of its own, which ends by a SIGKILL to itself: no destructor runs.
void in_a_process_that_is_killed(const Options& options, const std::function<bool(Store&)>& act) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    auto store = Store::open(options);
    if (!store || !act(*store)) ::_exit(1);
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status)) << "the child could not do its part";
}

TEST_F(StoreTest, ShowsTheFilesOfAnotherStoreAtOnce) {
  Store one = *Store::open(options());
  Store two = *Store::open(options());
  const std::string id = *one.add("shared", "bytes");
  EXPECT_EQ(contents(two, id), "bytes");
  EXPECT_EQ(two.get(id)->name, "shared");
  EXPECT_EQ(two.list().size(), 1U);
  ASSERT_TRUE(two.remove(id));
  EXPECT_EQ(contents(one, id), "<not found>");
}

TEST_F(StoreTest, NeverDeletesABlobThatAnotherStoreUses) {
  Store one = *Store::open(options());
  Store two = *Store::open(options());
  const std::string mine = *one.add("a", "common");
  const std::string theirs = *two.add("b", "common");
  ASSERT_TRUE(one.remove(mine));
  one.expire();
  EXPECT_EQ(contents(two, theirs), "common");
  EXPECT_EQ(contents(one, theirs), "common");
}

TEST_F(StoreTest, RacesBetweenProcessesLoseNothing) {
  std::vector<pid_t> children;
  for (int i = 0; i < 3; ++i) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      auto store = Store::open(options());
      bool right = store.has_value();
      for (int n = 0; right && n < 2000; ++n) {
        const std::string id = store->add("n", "same for all").value_or("");
        right = contents(*store, id) == "same for all" && store->remove(id).has_value();
      }
      ::_exit(right ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  Store store = *Store::open(options());
  EXPECT_EQ(store.totals().files, 0U);
  EXPECT_EQ(entries(path() + "/blobs") + entries(path() + "/files"), 0U);
}

TEST_F(StoreTest, SurvivesAKillWithNamesAndContents) {
  const std::string large = noise(300'000);
  in_a_process_that_is_killed(options(), [&](Store& store) {
    return store.add("näme/1", "first") && keep_bytes(store, "second", large).size() == 16;
  });
  Store store = *Store::open(options());
  const auto files = store.list();
  ASSERT_EQ(files.size(), 2U);
  for (const Listed& file : files)
    EXPECT_EQ(contents(store, file.id), file.name == "second" ? large : "first") << file.name;
  EXPECT_TRUE(files[0].name == "näme/1" || files[1].name == "näme/1");
  EXPECT_TRUE(store.check()->bad.empty());
}

TEST_F(StoreTest, SurvivesOnADiskAsWell) {
  std::string form = "/var/tmp/assay-store-test-XXXXXX";
  ASSERT_NE(::mkdtemp(form.data()), nullptr);
  {
    Store store = *Store::open({.directory = form + "/deep/er"});
    const std::string id = *store.add("disk", "synced");
    const std::string kept = keep_bytes(store, "kept", "synced too");
    store = *Store::open({.directory = form + "/deep/er"});
    EXPECT_EQ(contents(store, id), "synced");
    EXPECT_EQ(contents(store, kept), "synced too");
  }
  std::filesystem::remove_all(form);
}

TEST_F(StoreTest, CleansWhatADeadProcessWasWriting) {
  in_a_process_that_is_killed(options(), [&](Store&) {
    return ::mknod((only_entry(path() + "/tmp") + "/DRAFT").c_str(), S_IFREG | 0600, 0) == 0;
  });
  EXPECT_EQ(entries(only_entry(path() + "/tmp")), 1U);
  Store store = *Store::open(options());
  EXPECT_EQ(entries(only_entry(path() + "/tmp")), 0U);  // only the new one's own
}

TEST_F(StoreTest, LeavesAloneWhatALivingProcessIsWriting) {
  Store living = *Store::open(options());
  const std::string draft = only_entry(path() + "/tmp") + "/DRAFT";
  ASSERT_TRUE(os::open(draft, O_CREAT | O_WRONLY, 0600));
  ASSERT_TRUE(os::open(path() + "/files/AAAAAAAABBBBBBBB", O_CREAT | O_WRONLY, 0600));
  Store newcomer = *Store::open(options());
  newcomer.expire();
  EXPECT_TRUE(exists(draft));
  EXPECT_TRUE(exists(path() + "/files/AAAAAAAABBBBBBBB"));  // its record may come next
}

TEST_F(StoreTest, CleansHalfAddedFilesOfTheDead) {
  {
    Store store = *Store::open(options());
  }
  ASSERT_TRUE(os::open(path() + "/files/AAAAAAAABBBBBBBB", O_CREAT | O_WRONLY, 0600));
  ASSERT_TRUE(os::open(path() + "/blobs/" + std::string(64, 'a'), O_CREAT | O_WRONLY, 0600));
  ASSERT_EQ(::symlink("nothing", (path() + "/ids/CCCCCCCCDDDDDDDD").c_str()), 0);
  Store store = *Store::open(options());
  EXPECT_EQ(entries(path() + "/files") + entries(path() + "/blobs") + entries(path() + "/ids"), 0U);
}

TEST_F(StoreTest, RemovesATemporaryDirectory) {
  {
    Store store = *Store::open({.directory = path(), .temporary = true});
    ASSERT_TRUE(store.add("a", "x"));
    EXPECT_TRUE(exists(path()));
  }
  EXPECT_FALSE(exists(path()));
}

TEST_F(StoreTest, LeavesATemporaryDirectoryThatItDidNotMake) {
  ASSERT_TRUE(os::make_directory(path(), 0700));
  ASSERT_TRUE(os::open(path() + "/foreign", O_CREAT | O_WRONLY, 0600));
  {
    Store store = *Store::open({.directory = path(), .temporary = true});
  }
  EXPECT_TRUE(exists(path() + "/foreign"));
}

TEST_F(StoreTest, LeavesForeignFilesInATemporaryDirectory) {
  {
    Store store = *Store::open({.directory = path(), .temporary = true});
    ASSERT_TRUE(os::open(path() + "/foreign", O_CREAT | O_WRONLY, 0600));
  }
  EXPECT_TRUE(exists(path() + "/foreign"));
  EXPECT_EQ(entries(path()), 1U);
}

TEST_F(StoreTest, LeavesATemporaryDirectoryToTheLastOfItsStores) {
  const Options temporary{.directory = path(), .temporary = true};
  auto first = std::make_unique<Store>(*Store::open(temporary));
  auto second = std::make_unique<Store>(*Store::open(temporary));
  const std::string id = *second->add("a", "of the second");
  first.reset();
  EXPECT_EQ(contents(*second, id), "of the second");
  second.reset();
  EXPECT_FALSE(exists(path()));
}

TEST_F(StoreTest, BeginsAnewAfterATemporaryStoreWasKilled) {
  const Options temporary{.directory = path(), .temporary = true};
  in_a_process_that_is_killed(temporary,
                              [&](Store& store) { return store.add("old", "old").has_value(); });
  EXPECT_TRUE(exists(path()));
  {
    Store store = *Store::open(temporary);
    EXPECT_EQ(store.totals().files, 0U);
    EXPECT_EQ(entries(path() + "/blobs"), 0U);
  }
  EXPECT_FALSE(exists(path()));
}

TEST_F(StoreTest, RefusesATemporaryDirectoryOfSomebodyElse) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a directory away";
  ASSERT_TRUE(os::make_directory(path(), 0700));
  ASSERT_EQ(::chown(path().c_str(), 65534, 65534), 0);
  const auto store = Store::open({.directory = path(), .temporary = true});
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().context.find("belongs to user 65534"), std::string::npos);
}

TEST_F(StoreTest, GoesOnWhenItsDirectoryIsRemoved) {
  Store store = *Store::open(options());
  const std::string lost = *store.add("a", "x");
  auto file = store.scratch();
  ASSERT_TRUE(os::write_all(file->get(), "begun before"));
  std::filesystem::remove_all(path());
  EXPECT_EQ(contents(store, lost), "<not found>");
  const std::string kept = *store.keep("k", std::move(*file));
  EXPECT_EQ(contents(store, kept), "begun before");
  std::filesystem::remove_all(path());
  ASSERT_TRUE(store.scratch());
  std::filesystem::remove_all(path());
  EXPECT_TRUE(store.list().empty());
  const std::string id = *store.add("b", "after");
  EXPECT_EQ(contents(store, id), "after");
  EXPECT_EQ(store.totals().files, 1U);
}

TEST_F(StoreTest, GoesOnWhenAPartOfItsDirectoryIsRemoved) {
  Store store = *Store::open(options());
  for (const char* room : {"ids", "files", "blobs", "tmp", "bad"}) {
    std::filesystem::remove_all(path() + "/" + room);
    const auto id = store.add(room, std::string("after ") + room);
    ASSERT_TRUE(id) << room;
    EXPECT_EQ(contents(store, *id), std::string("after ") + room);
    EXPECT_FALSE(keep_bytes(store, "k", room).starts_with("<")) << room;
    EXPECT_TRUE(store.check()) << room;
  }
}

TEST_F(StoreTest, SaysWhyADirectoryCannotBeUsed) {
  EXPECT_EQ(Store::open({}).error().fault, Fault::InvalidRequest);
  ASSERT_TRUE(os::open(path("file"), O_CREAT | O_WRONLY, 0600));
  const auto store = Store::open({.directory = path("file")});
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ENOTDIR);
  EXPECT_NE(describe(store.error()).find(path("file")), std::string::npos);
}

TEST_F(StoreTest, KeepsAGoJudgeDirectoryAsItIs) {
  ASSERT_TRUE(os::make_directory(path(), 0755));
  ASSERT_TRUE(os::open(path() + "/ABCDEFGH", O_CREAT | O_WRONLY, 0600));
  Store store = *Store::open(options());
  EXPECT_TRUE(store.list().empty());
  EXPECT_EQ(contents(store, "ABCDEFGH"), "<not found>");
  ASSERT_TRUE(store.add("a", "x"));
  store.expire();
  EXPECT_TRUE(exists(path() + "/ABCDEFGH"));
}

}  // namespace
}  // namespace assay::store
