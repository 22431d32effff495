// A judge that judges nothing: the submission's language says how it behaves.
#pragma once

#include <condition_variable>
#include <mutex>
#include <set>

#include "service/judgings.h"

namespace assay::service {

// All that a watcher who has seen so many would be told.
inline std::vector<JudgingEvent> events_after(const Judging& judging, std::uint64_t seen) {
  std::vector<JudgingEvent> events;
  while (auto event = judging.event_after(seen)) {
    seen = event->number;
    events.push_back(*std::move(event));
  }
  return events;
}

// right      every test is accepted
// wrong      every test is wrong
// hold NAME  waits for release(NAME) or for being cancelled, after `compiled` was told
// talk NAME  as hold, and both sides have said something in test 2
// broken     an Error of ours
// bad        accept() refuses it
// checker    an Error that is the problem's
class FakeJudge final : public JudgeEngine {
 public:
  Status accept(JudgeOrder& order) override {
    if (order.submission.language == "bad") return invalid("bad order of a test");
    return {};
  }

  Result<judge::JudgeResult> judge(const JudgeOrder& order, const judge::JudgeEvents& events,
                                   judge::Cancellation& cancellation) override {
    const std::string& how = order.submission.language;
    note(order.submission.id);
    if (how == "broken") return system_error(0, "the judge broke");
    if (how == "checker") return invalid("the checker does not compile");
    if (events.compiled) events.compiled({.ok = true, .log = "fine"});
    if (events.testing) events.testing();
    if (how.starts_with("talk ") && events.said) {
      events.said(1, {.voice = 0, .bytes = "7\n"});
      events.said(1, {.voice = 1, .bytes = "8\n"});
    }
    if ((how.starts_with("hold ") || how.starts_with("talk ")) &&
        !hold(how.substr(5), cancellation))
      return failed(order, verdict::Verdict::Skipped, "cancelled");
    judge::JudgeResult result{.language = how, .compile = judge::CompileResult{.ok = true}};
    const bool right = how != "wrong";
    result.verdict = right ? verdict::Verdict::Accepted : verdict::Verdict::WrongAnswer;
    result.letters = right ? "AC" : "WA";
    for (std::size_t i = 0; i < order.problem->tests.size(); ++i) {
      result.tests.push_back(
          {.id = order.problem->tests[i].id, .verdict = result.verdict, .letters = result.letters});
      if (i == 1 && how.starts_with("talk ")) {
        const exec::Dialogue said{
            .remarks = {{.voice = 0, .bytes = "7\n"}, {.voice = 1, .bytes = "8\n"}}};
        result.tests.back().interaction = judge::InteractionResult{.dialogue = said};
      }
      if (events.tested) events.tested(i, result.tests.back());
    }
    swell(result);
    return result;
  }

  // Every result is so much larger from now on, in a place that people seldom look at.
  void swell(std::string where, std::size_t size) {
    const std::lock_guard guard(lock_);
    where_ = std::move(where);
    swelling_.assign(size, 'x');
  }

  [[nodiscard]] judge::JudgeResult failed(const JudgeOrder& order, verdict::Verdict verdict,
                                          std::string message) const override {
    judge::JudgeResult result{.status = judge::JudgeStatus::Failed,
                              .verdict = verdict,
                              .letters = verdict == verdict::Verdict::Skipped ? "SKIPPED" : "SE",
                              .message = std::move(message)};
    for (const judge::ProblemTest& test : order.problem->tests)
      result.tests.push_back({.id = test.id, .letters = "SKIPPED"});
    return result;
  }

  void release(const std::string& name) {
    const std::lock_guard guard(lock_);
    released_.insert(name);
    changed_.notify_all();
  }
  bool await_started(std::size_t count) {
    std::unique_lock held(lock_);
    return changed_.wait_for(held, std::chrono::seconds(10),
                             [&] { return started_.size() >= count; });
  }
  std::vector<std::string> started() {
    const std::lock_guard guard(lock_);
    return started_;
  }

 private:
  void swell(judge::JudgeResult& result) {
    const std::lock_guard guard(lock_);
    if (where_ == "breakdown") result.script = judge::ScriptScore{.breakdown = swelling_};
    if (where_ == "lint") result.lint = judge::CompileResult{.log = swelling_};
    if (where_ == "team") result.tests.at(0).team_message = swelling_;
    if (where_ == "subtask") result.subtasks.push_back({.id = swelling_});
    if (where_ == "id") result.tests.at(0).id = swelling_;
  }
  void note(const std::string& id) {
    const std::lock_guard guard(lock_);
    started_.push_back(id);
    changed_.notify_all();
  }
  bool hold(const std::string& name, const judge::Cancellation& cancellation) {
    std::unique_lock held(lock_);
    while (!released_.contains(name)) {
      if (cancellation.is_cancelled()) return false;
      changed_.wait_for(held, std::chrono::milliseconds(2));
    }
    return true;
  }

  std::mutex lock_;
  std::condition_variable changed_;
  std::set<std::string> released_;
  std::vector<std::string> started_;
  std::string where_, swelling_;
};

inline std::shared_ptr<const judge::Problem> problem_of(std::size_t tests) {
  auto problem = std::make_shared<judge::Problem>();
  for (std::size_t i = 0; i < tests; ++i)
    problem->tests.push_back({.id = std::to_string(i + 1)});
  return problem;
}

}  // namespace assay::service
