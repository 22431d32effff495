#include "held/doors.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace assay::held {
namespace {

namespace fs = std::filesystem;

class HeldPipes : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = "/tmp/assay-held-XXXXXX";
    directory_ = ::mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(directory_); }

  void expect_refused(const std::string& directory, const std::string& suffix, int code) const {
    const auto fifos = Fifos::make(directory, suffix);
    ASSERT_FALSE(fifos);
    EXPECT_EQ(fifos.error().fault, Fault::InvalidRequest);
    EXPECT_EQ(fifos.error().code, code);
    EXPECT_NE(describe(fifos.error()).find(directory), std::string::npos);
  }
  std::string directory_;
};

TEST_F(HeldPipes, GoWithTheirOwner) {
  {
    const auto fifos = Fifos::make(directory_, ".pipe");
    ASSERT_TRUE(fifos);
    EXPECT_TRUE(fs::is_fifo(directory_ + "/wait.pipe"));
    EXPECT_TRUE(fs::is_fifo(directory_ + "/upward.pipe"));
  }
  EXPECT_TRUE(fs::is_empty(directory_));
}

TEST_F(HeldPipes, NeedADirectory) {
  expect_refused(directory_ + "/none", "", ENOENT);
  std::ofstream(directory_ + "/file") << "x";
  expect_refused(directory_ + "/file", "", ENOTDIR);
}

TEST_F(HeldPipes, TakeNobodysNamesAndLeaveNothingHalfMade) {
  std::ofstream(directory_ + "/downward") << "mine";
  expect_refused(directory_, "", EEXIST);
  EXPECT_EQ(std::distance(fs::directory_iterator(directory_), {}), 1);
  EXPECT_EQ(fs::file_size(directory_ + "/downward"), 4U);
}

TEST_F(HeldPipes, StayInTheirDirectory) {
  EXPECT_FALSE(Fifos::make(directory_, "/../x"));
  EXPECT_TRUE(fs::is_empty(directory_));
}

TEST_F(HeldPipes, ThatSomebodyReplacedAreNeitherOpenedNorRemoved) {
  auto fifos = Fifos::make(directory_, "");
  ASSERT_TRUE(fifos);
  fs::remove(directory_ + "/wait");
  fs::remove(directory_ + "/status");
  std::ofstream(directory_ + "/wait") << "theirs";
  fs::create_symlink("wait", directory_ + "/status");
  EXPECT_FALSE(fifos->open(Door::Wait));
  EXPECT_FALSE(fifos->open(Door::Status));
  fifos->remove();
  EXPECT_TRUE(fs::exists(directory_ + "/wait"));
  EXPECT_TRUE(fs::is_symlink(directory_ + "/status"));
  EXPECT_FALSE(fs::exists(directory_ + "/upward"));
}

TEST_F(HeldPipes, ThatAreGoneCannotBeOpened) {
  auto fifos = Fifos::make(directory_, "");
  ASSERT_TRUE(fifos);
  fifos->remove();
  EXPECT_EQ(fifos->open(Door::Wait).error().code, ENOENT);
}

TEST_F(HeldPipes, AreOpenedByAnUsherUntilTheyAreRemoved) {
  auto usher = Usher::make(*Fifos::make(directory_, ""));
  ASSERT_TRUE(usher);
  Doors doors = usher->doors();
  usher->serve();
  EXPECT_TRUE(doors.open(Door::Wait));
  EXPECT_TRUE(doors.open(Door::Downward));
  ASSERT_TRUE(doors.ask(Door::Status));  // nobody reads: the usher waits, and we do not
  doors.remove();
  EXPECT_TRUE(fs::is_empty(directory_));
  (void)doors.take(Door::Status);  // it came back
  EXPECT_FALSE(doors.open(Door::Wait));
}

TEST_F(HeldPipes, GoWithAnUsherThatNobodyAsked) {
  {
    const auto usher = Usher::make(*Fifos::make(directory_, ""));
  }
  EXPECT_TRUE(fs::is_empty(directory_));
}

}  // namespace
}  // namespace assay::held
