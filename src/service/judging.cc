#include "service/judging.h"

#include <utility>

#include "base/check.h"

namespace assay::service {

Judging::Judging(JudgeOrder order)
    : order_(std::move(order)), tests_(order_.problem->tests.size()), so_far_(tests_) {}

JudgingView Judging::view() const {
  const std::lock_guard guard(lock_);
  return {.stage = stage_, .tests_done = tests_done_, .result = result_};
}

// A test that was told may be SKIPPED in the result, when an earlier one failed later. Whoever
// comes after the end is told what counts.
JudgingEvent Judging::event(std::size_t at) const {
  const Told& told = told_[at];
  JudgingEvent event{.number = at + 1, .step = told.step};
  if (told.step == JudgingStep::Compiled) event.compile = result_ ? result_->compile : compile_;
  if (told.step == JudgingStep::Tested)
    event.test = result_ ? result_->tests.at(told.test) : so_far_.at(told.test);
  if (told.step == JudgingStep::Ended) event.result = result_;
  return event;
}

std::vector<JudgingEvent> Judging::events_after(std::uint64_t seen) const {
  const std::lock_guard guard(lock_);
  std::vector<JudgingEvent> events;
  for (std::size_t at = seen; at < told_.size(); ++at)
    events.push_back(event(at));
  return events;
}

std::optional<JudgingEvent> Judging::event_after(std::uint64_t seen) const {
  const std::lock_guard guard(lock_);
  if (seen >= told_.size()) return std::nullopt;
  return event(seen);
}

std::unique_ptr<Judging::Listener> Judging::listen(std::uint64_t seen, std::function<void()> wake) {
  {
    const std::lock_guard guard(lock_);
    if (told_.size() <= seen) {
      listeners_.emplace(++next_listener_, std::move(wake));
      return std::make_unique<Listener>(*this, next_listener_);
    }
  }
  wake();
  return nullptr;
}

Judging::Listener::~Listener() {
  const std::lock_guard nobody_is_called(judging_.waking_);
  const std::lock_guard guard(judging_.lock_);
  judging_.listeners_.erase(number_);
}

void Judging::tell(Told told) {
  told_.push_back(told);
}

void Judging::wake_up() {
  const std::lock_guard calling(waking_);
  std::map<std::uint64_t, std::function<void()>> listeners;
  {
    const std::lock_guard guard(lock_);
    listeners.swap(listeners_);
  }
  for (const auto& [number, wake] : listeners)
    wake();
}

void Judging::begin() {
  {
    const std::lock_guard guard(lock_);
    stage_ = JudgingStage::Compiling;
    tell({JudgingStep::Begun});
  }
  wake_up();
}

void Judging::compiled(const judge::CompileResult& compile) {
  {
    const std::lock_guard guard(lock_);
    stage_ = JudgingStage::Running;
    compile_ = compile;
    tell({JudgingStep::Compiled});
  }
  wake_up();
}

void Judging::tested(std::size_t index, const judge::TestResult& test) {
  {
    const std::lock_guard guard(lock_);
    stage_ = JudgingStage::Running;
    so_far_.at(index) = test;
    ++tests_done_;
    tell({JudgingStep::Tested, index});
  }
  wake_up();
}

void Judging::end(judge::JudgeResult result) {
  result.submission_id = id();
  result.received_at = received_at_;
  result.finished_at = Clock::now();
  {
    const std::lock_guard guard(lock_);
    CHECK(result.tests.size() == tests_);  // whoever was told of one may ask again
    result_ = std::make_shared<const judge::JudgeResult>(std::move(result));
    stage_ = JudgingStage::Over;
    compile_.reset();
    so_far_ = {};
    order_.submission.sources = {};
    order_.problem = nullptr;
    tell({JudgingStep::Ended});
  }
  wake_up();
}

}  // namespace assay::service
