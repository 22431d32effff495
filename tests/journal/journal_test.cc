#include "journal/journal.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "tests/journal/fixture.h"

namespace assay::journal {
namespace {

using namespace std::chrono_literals;
using Names = std::vector<std::string>;

TEST_F(JournalTest, KeepsWhatWasAcceptedInItsOrderUntilItIsFinished) {
  {
    const auto journal = open();
    for (const char* id : {"b", "a", "c"})
      accept(*journal, id);
  }
  const auto journal = open();
  const auto rows = journal->unfinished();
  ASSERT_TRUE(rows);
  EXPECT_EQ(ids(*rows), (Names{"b", "a", "c"}));
  EXPECT_EQ(rows->at(1).order, "order of a");
  EXPECT_EQ(rows->at(1).digest, "digest of a");
  EXPECT_FALSE(*journal->find("a"));
  ASSERT_TRUE(finish(*journal, rows->at(1).key, "a", "AC"));
  EXPECT_EQ(ids(*journal->unfinished()), (Names{"b", "c"}));
  const auto found = journal->find("a");
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->result, "AC");
  EXPECT_EQ((*found)->digest, "digest of a");
}

TEST_F(JournalTest, KeepsWhatWasAcceptedWhenItsProcessIsKilled) {
  const pid_t child = ::fork();
  if (child == 0) {
    const auto journal = open();
    accept(*journal, "accepted");
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(ids(*open()->unfinished()), Names{"accepted"});
}

TEST_F(JournalTest, NeverGivesAKeyOfALivingRecordAgain) {
  Key last = 0;
  {
    const auto journal = open();
    last = accept(*journal, "a");
  }
  EXPECT_GT(*open()->reserve({}), last);
}

TEST_F(JournalTest, ForgetsWhatIsRemoved) {
  auto journal = open();
  const Key waiting = accept(*journal, "waiting", {file_with("input")});
  const Key over = accept(*journal, "over");
  ASSERT_TRUE(finish(*journal, over, "over"));
  EXPECT_TRUE(journal->remove(waiting).get());
  EXPECT_TRUE(journal->remove(over).get());
  journal.reset();
  journal = open();
  EXPECT_TRUE(journal->unfinished()->empty());
  EXPECT_FALSE(*journal->find("over"));
  EXPECT_EQ(names("/pins"), Names{});
  EXPECT_EQ(journal->snapshot().results, 0U);
}

TEST_F(JournalTest, WritesAResultOfOneThatItNeverKnew) {
  const auto journal = open();
  const Key key = *journal->reserve({});
  ASSERT_TRUE(finish(*journal, key, "new", "AC"));
  EXPECT_EQ((*journal->find("new"))->result, "AC");
}

TEST_F(JournalTest, KeepsTheFilesOfWhatIsNotFinishedWhateverBecomesOfTheOriginals) {
  {
    const auto journal = open();
    accept(*journal, "a", {file_with("first"), file_with("second")});
  }
  const auto journal = open();
  const NewSubmission row = journal->unfinished()->at(0);
  EXPECT_EQ(row.files, 2U);
  EXPECT_EQ(text_of(journal->file(row.key, 0)), "first");
  EXPECT_EQ(text_of(journal->file(row.key, 1)), "second");
  ASSERT_TRUE(finish(*journal, row.key, "a"));
  EXPECT_EQ(names("/pins"), Names{});
}

TEST_F(JournalTest, DropsFilesThatNoRecordNamesWhenItStarts) {
  {
    const auto journal = open();
    (void)journal->reserve({file_with("of a draft")});
    EXPECT_EQ(names("/pins").size(), 1U);
  }
  const auto journal = open();
  EXPECT_EQ(names("/pins"), Names{});
}

TEST_F(JournalTest, KeepsAReplacedProblemAsLongAsASubmissionNeedsIt) {
  const auto journal = open();
  const Key first = *journal->reserve({file_with("old input")});
  ASSERT_TRUE(journal->put({.key = first, .id = "p", .form = "old", .files = 1}).get());
  const Key submission = accept(*journal, "s", {}, first);
  const Key second = *journal->reserve({});
  ASSERT_TRUE(journal->put({.key = second, .id = "p", .form = "new"}).get());
  ASSERT_EQ(journal->problems()->size(), 1U);
  EXPECT_EQ(journal->problems()->at(0).form, "new");
  EXPECT_EQ(journal->problem(first)->form, "old");
  EXPECT_EQ(text_of(journal->file(first, 0)), "old input");
  ASSERT_TRUE(finish(*journal, submission, "s"));
  EXPECT_FALSE(journal->problem(first));
  EXPECT_EQ(names("/pins"), Names{});
  ASSERT_TRUE(journal->remove_problem("p").get());
  EXPECT_TRUE(journal->problems()->empty());
}

Status finish_untold(Journal& journal, Key key, const std::string& id, Moment at) {
  return journal
      .finish({.key = key,
               .id = id,
               .result = std::string(1000, 'x'),
               .received = at,
               .finished = at,
               .deliver = true})
      .get();
}

TEST_F(JournalTest, RemembersWhoIsStillToBeTold) {
  {
    const auto journal = open();
    for (const char* id : {"told", "not told"}) {
      const Key key = accept(*journal, id);
      ASSERT_TRUE(finish_untold(*journal, key, id, Moment::clock::now()));
    }
    ASSERT_TRUE(journal->delivered("told").get());
  }
  const auto left = open()->undelivered();
  ASSERT_EQ(left->size(), 1U);
  EXPECT_EQ(left->at(0).id, "not told");
}

TEST_F(JournalTest, ForgetsTheOldestResultsBeyondItsLimitsButNeverWhatIsOpen) {
  const auto journal = open({.keep_count = 3});
  accept(*journal, "waits");
  const Moment now = Moment::clock::now();
  for (int i = 0; i < 8; ++i) {
    const std::string id = "s" + std::to_string(i);
    ASSERT_TRUE(finish(*journal, accept(*journal, id), id, "AC", now + std::chrono::seconds(i)));
  }
  ASSERT_TRUE(journal->delivered("nobody").get());  // one more turn of the writer
  ASSERT_TRUE(journal->delivered("nobody").get());
  EXPECT_LE(journal->snapshot().results, 4U);
  EXPECT_FALSE(*journal->find("s0"));
  EXPECT_TRUE(*journal->find("s7"));
  EXPECT_EQ(ids(*journal->unfinished()), Names{"waits"});
}

TEST_F(JournalTest, ForgetsResultsThatAreTooOld) {
  {
    const auto journal = open();
    ASSERT_TRUE(
        finish(*journal, accept(*journal, "old"), "old", "AC", Moment::clock::now() - 100h));
    ASSERT_TRUE(finish(*journal, accept(*journal, "young"), "young"));
  }
  const auto journal = open({.keep_time = 50h});
  ASSERT_TRUE(journal->delivered("nobody").get());
  ASSERT_TRUE(journal->delivered("nobody").get());
  EXPECT_FALSE(*journal->find("old"));
  EXPECT_TRUE(*journal->find("young"));
}

// They once stayed for ever: a receiver that never answered filled the journal, and then nothing
// was accepted any more.
TEST_F(JournalTest, ForgetsResultsThatCouldNotBeDeliveredForTooLong) {
  {
    const auto journal = open();
    const Moment now = Moment::clock::now();
    ASSERT_TRUE(finish_untold(*journal, accept(*journal, "old"), "old", now - 100h));
    ASSERT_TRUE(finish_untold(*journal, accept(*journal, "young"), "young", now));
  }
  const auto journal = open({.keep_time = 50h});
  ASSERT_TRUE(journal->delivered("nobody").get());
  ASSERT_TRUE(journal->delivered("nobody").get());
  EXPECT_FALSE(*journal->find("old"));
  EXPECT_TRUE(*journal->find("young"));
  EXPECT_EQ(said_, Names{"forgotten before they could be delivered: 1 of the results"});
}

TEST_F(JournalTest, ForgetsWhatIsToBeDeliveredLastOfAll) {
  const auto journal = open({.keep_count = 3});
  const Moment now = Moment::clock::now();
  for (int i = 0; i < 8; ++i) {
    const std::string id = std::to_string(i);
    const Moment at = now + std::chrono::seconds(i);
    ASSERT_TRUE(finish(*journal, accept(*journal, "told " + id), "told " + id, "AC", at));
    if (i < 3) {
      ASSERT_TRUE(finish_untold(*journal, accept(*journal, "untold " + id), "untold " + id, at));
    }
  }
  ASSERT_TRUE(journal->delivered("nobody").get());
  ASSERT_TRUE(journal->delivered("nobody").get());
  EXPECT_EQ(journal->undelivered()->size(), 3U) << "others were there to go";
  for (int i = 3; i < 8; ++i) {
    const std::string id = "untold " + std::to_string(i);
    ASSERT_TRUE(
        finish_untold(*journal, accept(*journal, id), id, now + std::chrono::seconds(100 + i)));
  }
  ASSERT_TRUE(journal->delivered("nobody").get());
  ASSERT_TRUE(journal->delivered("nobody").get());
  EXPECT_LE(journal->snapshot().results, 4U);
  EXPECT_FALSE(*journal->find("untold 0"));
  EXPECT_TRUE(*journal->find("untold 7"));
}

TEST_F(JournalTest, TellsOfWhatIsToBeDeliveredInPortions) {
  const auto journal = open();
  for (int i = 0; i < 10; ++i) {
    const std::string id = std::to_string(i);
    ASSERT_TRUE(finish_untold(*journal, accept(*journal, id), id, Moment::clock::now()));
  }
  const auto few = journal->undelivered({.count = 4});
  ASSERT_EQ(few->size(), 4U);
  EXPECT_EQ(few->front().id, "0");
  EXPECT_EQ(journal->undelivered({.size = Bytes{2500}})->size(), 3U);
  EXPECT_EQ(journal->undelivered({.size = Bytes{1}})->size(), 1U) << "or it would never go";
  ASSERT_TRUE(journal->delivered("0").get());
  EXPECT_EQ(journal->undelivered({.count = 4})->front().id, "1");
  EXPECT_EQ(journal->undelivered()->size(), 9U);
}

TEST_F(JournalTest, SaysSoWhenThereIsNoRoomAndGoesOnWhenThereIs) {
  const auto journal = open({.most = 256_KiB});
  const Key small = accept(*journal, "small");
  const Files files{file_with("input")};
  const Key key = *journal->reserve(files);
  const Status refused =
      journal->accept({.key = key, .id = "large", .order = std::string(1 << 20, 'x'), .files = 1})
          .get();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().fault, Fault::System);
  EXPECT_EQ(refused.error().code, ENOSPC);
  EXPECT_EQ(names("/pins"), Names{});
  ASSERT_EQ(said_.size(), 1U);
  EXPECT_NE(said_[0].find("cannot be written"), std::string::npos) << said_[0];
  EXPECT_EQ(ids(*journal->unfinished()), Names{"small"});
  ASSERT_TRUE(finish(*journal, small, "small"));
  EXPECT_EQ(said_.back(), "the journal is written again");
}

TEST_F(JournalTest, OneThatCannotBeWrittenDoesNotTakeOthersWithIt) {
  const auto journal = open({.most = 256_KiB});
  std::vector<Written> written;
  for (int i = 0; i < 64; ++i) {
    const bool is_large = i % 8 == 0;
    written.push_back(journal->accept({.key = *journal->reserve({}),
                                       .id = std::to_string(i),
                                       .order = std::string(is_large ? 1 << 20 : 10, 'x')}));
  }
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(written[static_cast<std::size_t>(i)].get().has_value(), i % 8 != 0) << i;
  EXPECT_EQ(journal->unfinished()->size(), 56U);
}

TEST_F(JournalTest, TakesWhatManyThreadsSayAtTheSameTime) {
  {
    const auto journal = open();
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < 50; ++i) {
          const std::string id = std::to_string(t) + "-" + std::to_string(i);
          const Key key = accept(*journal, id);
          if (i % 2 == 0) {
            EXPECT_TRUE(finish(*journal, key, id));
          }
          EXPECT_EQ(journal->find(id)->has_value(), i % 2 == 0);
        }
      });
    for (std::thread& thread : threads)
      thread.join();
    EXPECT_LE(journal->snapshot().commits, 8U * 75U);
  }
  const auto journal = open();
  EXPECT_EQ(journal->unfinished()->size(), 200U);
  EXPECT_EQ(journal->snapshot().results, 200U);
}

TEST_F(JournalTest, BelongsToOneProcessAtATime) {
  const auto first = open();
  const auto second = Journal::open({.directory = place("journal"), .patience = 30ms});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().fault, Fault::Conflict);
  EXPECT_NE(second.error().context.find("another daemon"), std::string::npos);
  accept(*first, "unharmed");
}

TEST_F(JournalTest, IsNobodyElsesBusiness) {
  const auto journal = open();
  accept(*journal, "secret");
  struct stat state{};
  ASSERT_EQ(::stat(place("journal").c_str(), &state), 0);
  EXPECT_EQ(state.st_mode & 07777U, 0700U);
  for (const char* name : {"journal.db", "journal.db-wal"}) {
    ASSERT_EQ(::stat(place(std::string("journal/") + name).c_str(), &state), 0) << name;
    EXPECT_EQ(state.st_mode & 0777U, 0600U) << name;
  }
}

}  // namespace
}  // namespace assay::journal
