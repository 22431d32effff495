#include "journal/schema.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/journal/fixture.h"

namespace assay::journal {
namespace {

using Names = std::vector<std::string>;

class JournalFile : public JournalTest {
 protected:
  // One accepted submission, in the file and not in its log.
  void fill() {
    const auto journal = open();
    accept(*journal, "before", {file_with("input")});
  }
  void run(const std::string& sql) {
    const auto database = sqlite::open(file(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, 1000);
    ASSERT_TRUE(database);
    const Status done = sqlite::run(database->get(), sql.c_str());
    ASSERT_TRUE(done) << describe(done.error());
  }
  void write(std::size_t at, const std::string& bytes) {
    std::fstream out(file(), std::ios::in | std::ios::out | std::ios::binary);
    out.seekp(static_cast<std::streamoff>(at));
    out << bytes;
  }
  [[nodiscard]] std::string file() const { return place("journal/journal.db"); }
  [[nodiscard]] bool has_moved_aside() const {
    return std::ranges::any_of(
        names(), [](const std::string& name) { return name.starts_with("journal.db.damaged-"); });
  }
  void expect_begun_anew() {
    const auto journal = open();
    ASSERT_NE(journal, nullptr);
    EXPECT_TRUE(journal->unfinished()->empty());
    ASSERT_EQ(said_.size(), 1U);
    EXPECT_NE(said_[0].find("is damaged"), std::string::npos) << said_[0];
    EXPECT_NE(said_[0].find("journal.db.damaged-"), std::string::npos) << said_[0];
    EXPECT_TRUE(has_moved_aside());
    accept(*journal, "after");
  }
};

TEST_F(JournalFile, MovesAFileThatIsNoDatabaseAside) {
  std::filesystem::create_directory(place("journal"));
  std::ofstream(file()) << std::string(10'000, 'x');
  expect_begun_anew();
}

TEST_F(JournalFile, MovesADatabaseThatIsNotOursAside) {
  std::filesystem::create_directory(place("journal"));
  run("CREATE TABLE their(own TEXT)");
  expect_begun_anew();
}

TEST_F(JournalFile, MovesAFileWithADestroyedHeadAside) {
  fill();
  write(0, std::string(200, '\0'));
  expect_begun_anew();
}

TEST_F(JournalFile, MovesAFileWithDestroyedPagesAsideWithTheFilesOfItsRecords) {
  fill();
  const auto size = std::filesystem::file_size(file());
  ASSERT_GT(size, 8192U);
  write(4096, std::string(size - 4096, '\x5a'));
  expect_begun_anew();
  std::size_t kept = 0;
  for (const std::string& name : names())
    if (name.starts_with("pins.damaged-")) kept += names("/" + name).size();
  EXPECT_EQ(kept, 1U);
}

TEST_F(JournalFile, MovesAFileThatWasCutOffAside) {
  fill();
  std::filesystem::resize_file(file(), 4096 * 3 + 100);
  expect_begun_anew();
}

TEST_F(JournalFile, ReadsWhatAnOlderVersionWrote) {
  fill();
  // As the first version left it.
  run("DROP INDEX undelivered; DROP INDEX judged_by; DROP INDEX old_problems;"
      "ALTER TABLE submissions DROP COLUMN deliver; PRAGMA user_version = 1");
  const auto journal = open();
  ASSERT_NE(journal, nullptr);
  EXPECT_TRUE(said_.empty());
  EXPECT_EQ(ids(*journal->unfinished()), Names{"before"});
  const Key key = accept(*journal, "after");
  EXPECT_TRUE(
      journal
          ->finish({.key = key, .id = "after", .finished = Moment::clock::now(), .deliver = true})
          .get());
  EXPECT_EQ(journal->undelivered()->size(), 1U);
}

TEST_F(JournalFile, LeavesWhatANewerVersionWroteAsItIsAndSaysSo) {
  fill();
  run("PRAGMA user_version = 1000");
  const auto opened = Journal::open({.directory = place("journal")});
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().context.find("newer assay (form 1000"), std::string::npos)
      << describe(opened.error());
  EXPECT_FALSE(has_moved_aside());
  EXPECT_EQ(names("/pins").size(), 1U);
}

TEST_F(JournalFile, IsCurrentAfterAnInterruptedBeginning) {
  std::filesystem::create_directory(place("journal"));
  std::ofstream(file()).flush();  // made, and nothing written yet
  const auto journal = open();
  ASSERT_NE(journal, nullptr);
  accept(*journal, "a");
  EXPECT_TRUE(said_.empty());
}

}  // namespace
}  // namespace assay::journal
