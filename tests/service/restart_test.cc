// Judgings and problems over several lives of a daemon, with a journal between them.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <future>

#include "os/file.h"
#include "service/judgings.h"
#include "service/ledger.h"
#include "service/problems.h"
#include "service/stored_contents.h"
#include "tests/service/fake_engine.h"
#include "tests/service/fake_judge.h"

namespace assay::service {
namespace {

using Names = std::vector<std::string>;

class Lives : public testing::Test {
 protected:
  Lives() {
    char name[] = "/tmp/assay-lives-XXXXXX";
    directory_ = ::mkdtemp(name);
    auto opened = store::Store::open({.directory = directory_ + "/store", .durable = false});
    EXPECT_TRUE(opened) << describe(opened.error());
    store_.emplace(std::move(*opened));
    service_.emplace(std::make_unique<FakeEngine>(), *store_, Options{.parallelism = 2}, nullptr);
    contents_.emplace(
        *store_, [this](const std::string& path) { return os::open(directory_ + path, O_RDONLY); });
  }
  ~Lives() override {
    end();
    std::filesystem::remove_all(directory_);
  }

  // One at a time, so that the order shows.
  void begin(journal::Options options = {}) {
    options.directory = directory_ + "/journal";
    auto opened = journal::Journal::open(options);
    ASSERT_TRUE(opened) << describe(opened.error());
    journal_ = *std::move(opened);
    ledger_.emplace(*journal_, *contents_);
    problems_.emplace(Problems::Options{}, &*ledger_);
    auto engine = std::make_unique<FakeJudge>();
    judge_ = engine.get();
    judgings_.emplace(
        std::move(engine), *service_, JudgingOptions{.at_once = 1},
        [this](const Judging& judging, const judge::JudgeResult&) {
          const std::lock_guard guard(lock_);
          told_.push_back(judging.id());
        },
        &*ledger_);
    const auto troubles = problems_->resume();
    ASSERT_TRUE(troubles);
    troubles_ = *troubles;
    const auto resumed = judgings_->resume();
    ASSERT_TRUE(resumed) << describe(resumed.error());
    resumed_ = *resumed;
  }
  void end() {
    judgings_.reset();
    problems_.reset();
    ledger_.reset();
    journal_.reset();
  }
  static JudgeOrder order(std::string id, std::string language) {
    return {.submission = {.id = std::move(id), .language = std::move(language)},
            .problem = problem_of(2),
            .digest = "as said"};
  }
  std::shared_ptr<Judging> submit(JudgeOrder wanted) {
    auto taken = judgings_->submit(std::move(wanted));
    EXPECT_TRUE(taken) << describe(taken.error());
    return taken ? taken->judging : nullptr;
  }
  std::shared_ptr<const judge::JudgeResult> result_of(const std::string& id) {
    const auto judging = judgings_->find(id);
    if (!judging) return nullptr;
    std::uint64_t seen = 0;
    while ((*judging)->view().result == nullptr) {
      auto woken = std::make_shared<std::promise<void>>();
      const auto listener = (*judging)->listen(seen, [woken] { woken->set_value(); });
      if (woken->get_future().wait_for(std::chrono::seconds(10)) != std::future_status::ready)
        return nullptr;
      seen += events_after(**judging, seen).size();
    }
    return (*judging)->view().result;
  }
  Names told() {
    const std::lock_guard guard(lock_);
    return told_;
  }
  judge::Content file_with(const std::string& text) {
    auto id = store_->add("", text);
    EXPECT_TRUE(id);
    auto content = contents_->stored(*id);
    EXPECT_TRUE(content);
    EXPECT_TRUE(store_->remove(*id));
    return *content;
  }

  std::string directory_;
  std::optional<store::Store> store_;
  std::optional<Service> service_;
  std::optional<StoredContents> contents_;
  std::unique_ptr<journal::Journal> journal_;
  std::optional<Ledger> ledger_;
  std::optional<Problems> problems_;
  FakeJudge* judge_ = nullptr;
  std::optional<Judgings> judgings_;
  Names troubles_;
  std::size_t resumed_ = 0;
  std::mutex lock_;
  Names told_;
};

TEST_F(Lives, WhatWasAcceptedAndNotJudgedIsJudgedInItsOrderInTheNextLife) {
  begin();
  for (const char* id : {"c", "a", "b"})
    submit(order(id, "hold door"));
  const auto watched = *judgings_->find("c");
  end();
  EXPECT_EQ(told(), Names{}) << "nobody is told that it was stopped";
  EXPECT_TRUE(watched->is_settled());
  EXPECT_EQ(watched->view().result, nullptr) << "what looks like a result is taken for one";
  EXPECT_EQ(watched->view().stage, JudgingStage::Pending);
  begin();
  EXPECT_EQ(resumed_, 3U);
  judge_->release("door");
  for (const char* id : {"a", "b", "c"}) {
    const auto result = result_of(id);
    ASSERT_NE(result, nullptr) << id;
    EXPECT_EQ(result->letters, "AC") << id;
    EXPECT_EQ(result->submission_id, id);
  }
  EXPECT_EQ(judge_->started(), (Names{"c", "a", "b"}));
  end();
  EXPECT_EQ(told(), (Names{"c", "a", "b"}));
  begin();
  EXPECT_EQ(resumed_, 0U);
}

TEST_F(Lives, AResultIsFoundInTheNextLifeWithItsEvents) {
  begin();
  JudgeOrder wanted = order("s", "wrong");
  wanted.wants_facts = true;
  submit(std::move(wanted));
  const auto before = result_of("s");
  ASSERT_NE(before, nullptr);
  end();
  begin();
  const auto judging = judgings_->find("s");
  ASSERT_TRUE(judging) << describe(judging.error());
  EXPECT_TRUE((*judging)->order().wants_facts);
  const auto after = (*judging)->view().result;
  ASSERT_NE(after, nullptr);
  EXPECT_EQ(after->letters, "WA");
  EXPECT_EQ(after->received_at, before->received_at);
  EXPECT_EQ(after->finished_at, before->finished_at);
  const auto events = events_after(**judging, 0);
  ASSERT_EQ(events.size(), 6U);
  EXPECT_EQ(events.back().step, JudgingStep::Ended);
  EXPECT_EQ(events[3].test->letters, "WA");
  EXPECT_TRUE(events_after(**judging, 6).empty());
  EXPECT_EQ(events_after(**judging, 1000).size(), 6U) << "seen in an earlier life, which had more";
}

TEST_F(Lives, AnIdIsTakenOnceOverAllLives) {
  begin();
  submit(order("over", "right"));
  ASSERT_NE(result_of("over"), nullptr);
  submit(order("open", "hold door"));
  end();
  begin();
  judge_->release("door");
  for (const char* id : {"over", "open"}) {
    const auto again = judgings_->submit(order(id, "whatever was said"));
    ASSERT_TRUE(again) << id;
    EXPECT_FALSE(again->is_new) << id;
    JudgeOrder other = order(id, "right");
    other.digest = "something else";
    const auto taken = judgings_->submit(std::move(other));
    ASSERT_FALSE(taken) << id;
    EXPECT_EQ(taken.error().fault, Fault::Conflict) << id;
  }
  ASSERT_NE(result_of("open"), nullptr);
  EXPECT_EQ(judge_->started(), Names{"open"});
}

TEST_F(Lives, WhatIsRemovedIsUnknownInTheNextLife) {
  begin();
  submit(order("runs", "hold door"));
  ASSERT_TRUE(judge_->await_started(1));
  submit(order("waits", "right"));
  EXPECT_TRUE(judgings_->remove("waits"));
  EXPECT_TRUE(judgings_->remove("runs"));
  submit(order("over", "right"));
  ASSERT_NE(result_of("over"), nullptr);
  end();
  begin();
  EXPECT_EQ(resumed_, 0U);
  EXPECT_FALSE(judgings_->find("runs"));
  EXPECT_FALSE(judgings_->find("waits"));
  ASSERT_TRUE(judgings_->find("over"));
  EXPECT_TRUE(judgings_->remove("over"));
  EXPECT_FALSE(judgings_->find("over"));
  EXPECT_EQ(judgings_->remove("over").error().fault, Fault::NotFound);
  end();
  begin();
  EXPECT_FALSE(judgings_->find("over"));
}

TEST_F(Lives, WhatCannotBeWrittenIsNotAccepted) {
  begin({.most = 128_KiB});
  JudgeOrder large = order("large", "right");
  large.submission.sources.push_back({"", std::string(1 << 20, 'x')});
  const auto refused = judgings_->submit(large);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().fault, Fault::System);
  EXPECT_FALSE(judgings_->find("large"));
  EXPECT_EQ(judge_->started(), Names{});
  // Somebody who waits was promised nothing and gets the result.
  large.waits = true;
  large.submission.id = "waits";
  submit(large);
  ASSERT_NE(result_of("waits"), nullptr);
  submit(order("small", "right"));
  ASSERT_NE(result_of("small"), nullptr);
}

TEST_F(Lives, OfOneThatNobodyCanAskForOnlyTheResultIsKept) {
  begin();
  JudgeOrder nameless = order("", "hold door");
  nameless.waits = true;
  submit(nameless);
  nameless.submission.language = "right";
  end();
  begin();
  EXPECT_EQ(resumed_, 0U);
  const std::string id = submit(nameless)->id();
  ASSERT_NE(result_of(id), nullptr);
  end();
  begin();
  EXPECT_TRUE(judgings_->find(id));
}

TEST_F(Lives, FilesOfAnOrderOutliveTheirRemovalFromTheStore) {
  begin();
  auto problem = std::make_shared<judge::Problem>(*problem_of(1));
  problem->tests[0].input = file_with("input");
  JudgeOrder wanted = order("s", "hold door");
  wanted.submission.archive = file_with("archive");
  wanted.problem = problem;
  submit(std::move(wanted));
  end();
  begin();
  const auto judging = judgings_->find("s");
  ASSERT_TRUE(judging);
  const JudgeOrder& again = (*judging)->order();
  EXPECT_EQ(*judge::whole(again.problem->tests[0].input, 1_KiB), "input");
  EXPECT_EQ(*judge::whole(*again.submission.archive, 1_KiB), "archive");
  judge_->release("door");
  ASSERT_NE(result_of("s"), nullptr);
  end();
  EXPECT_TRUE(std::filesystem::is_empty(directory_ + "/journal/pins"));
}

TEST_F(Lives, OneThatCannotBeJudgedAnyMoreIsAnsweredAndNotLost) {
  std::filesystem::create_directory(directory_ + "/srv");
  ASSERT_TRUE(os::write_whole(directory_ + "/srv/input", "x") ||
              os::open(directory_ + "/srv/input", O_CREAT | O_WRONLY, 0600));
  begin();
  auto problem = std::make_shared<judge::Problem>(*problem_of(1));
  auto input = contents_->host_file("/srv/input");
  ASSERT_TRUE(input) << describe(input.error());
  problem->tests[0].input = *input;
  JudgeOrder wanted = order("s", "hold door");
  wanted.problem = problem;
  submit(std::move(wanted));
  end();
  std::filesystem::remove(directory_ + "/srv/input");
  begin();
  const auto result = result_of("s");
  ASSERT_NE(result, nullptr);
  EXPECT_EQ(result->status, judge::JudgeStatus::Failed);
  EXPECT_NE(result->message.find("before a restart"), std::string::npos) << result->message;
  EXPECT_EQ(told(), Names{"s"});
}

TEST_F(Lives, ProblemsAreThereInTheNextLifeAndAnOpenSubmissionHasItsOwn) {
  begin();
  judge::Problem first = *problem_of(1);
  first.tests[0].input = file_with("first");
  first.checker = judge::Comparison{};
  ASSERT_TRUE(problems_->put("p", first, "d1"));
  const auto found = problems_->find("p");
  JudgeOrder wanted = order("s", "hold door");
  wanted.problem = found->problem;
  wanted.problem_id = "p";
  wanted.problem_key = found->info.key;
  EXPECT_NE(wanted.problem_key, 0);
  submit(std::move(wanted));
  const judge::Problem second = *problem_of(3);
  EXPECT_FALSE(*problems_->put("p", second, "d2"));
  ASSERT_TRUE(problems_->put("gone", second, "d3"));
  ASSERT_TRUE(problems_->remove("gone"));
  end();
  begin();
  EXPECT_EQ(troubles_, Names{});
  ASSERT_EQ(problems_->list().size(), 1U);
  EXPECT_EQ(problems_->find("p")->info.digest, "d2");
  EXPECT_EQ(problems_->find("p")->problem->tests.size(), 3U);
  const auto judging = judgings_->find("s");
  ASSERT_TRUE(judging);
  EXPECT_EQ((*judging)->order().problem->tests.size(), 1U);
  EXPECT_EQ(*judge::whole((*judging)->order().problem->tests[0].input, 1_KiB), "first");
  judge_->release("door");
  ASSERT_NE(result_of("s"), nullptr);
}

TEST_F(Lives, AProblemThatCannotBeWrittenIsNotThere) {
  begin({.most = 128_KiB});
  judge::Problem large = *problem_of(1);
  large.tests[0].input.text = std::string(1 << 20, 'x');
  const auto put = problems_->put("p", large, "d");
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().fault, Fault::System);
  EXPECT_FALSE(problems_->find("p"));
}

}  // namespace
}  // namespace assay::service
