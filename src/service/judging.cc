#include "service/judging.h"

#include <utility>

#include "base/check.h"

namespace assay::service {
namespace {

std::size_t remarks_of(const judge::TestResult& test) {
  if (!test.interaction || !test.interaction->dialogue) return 0;
  return test.interaction->dialogue->remarks.size();
}

}  // namespace

Judging::Judging(JudgeOrder order, Clock::time_point received_at)
    : order_(std::move(order)), tests_(order_.problem->tests.size()), received_at_(received_at) {}

// Whoever asks for its events is told them in the order of the tests: which one ended first is
// forgotten.
Judging::Judging(JudgeOrder order, judge::JudgeResult result)
    : order_(std::move(order)),
      tests_(result.tests.size()),
      received_at_(result.received_at),
      stage_(JudgingStage::Over),
      tests_done_(tests_) {
  tell({JudgingStep::Begun});
  if (result.compile) tell({JudgingStep::Compiled});
  for (std::size_t i = 0; i < tests_; ++i) {
    if (result.tests[i].verdict == verdict::Verdict::Skipped) continue;
    for (std::size_t remark = 0; remark < remarks_of(result.tests[i]); ++remark) {
      tell({JudgingStep::Said, places_.size()});
      places_.push_back({i, remark});
    }
    tell({JudgingStep::Tested, i});
  }
  tell({JudgingStep::Ended});
  result_ = std::make_shared<const judge::JudgeResult>(std::move(result));
}

JudgingView Judging::view() const {
  const std::lock_guard guard(lock_);
  return {.stage = stage_, .tests_done = tests_done_, .result = result_};
}

bool Judging::is_settled() const {
  const std::lock_guard guard(lock_);
  return result_ || suspended_;
}

// Whoever comes after the end is told what is in the result.
JudgingEvent Judging::event(std::size_t at) const {
  const Told& told = told_[at];
  JudgingEvent event{.number = at + 1, .step = told.step};
  if (told.step == JudgingStep::Compiled) event.compile = result_ ? result_->compile : compile_;
  if (told.step == JudgingStep::Tested)
    event.test = result_ ? result_->tests.at(told.which) : so_far_.at(told.which);
  if (told.step == JudgingStep::Said) event.said = said_at(told.which);
  if (told.step == JudgingStep::Ended) event.result = result_;
  return event;
}

SaidInTest Judging::said_at(std::size_t which) const {
  if (!result_) return said_.at(which);
  const Place& place = places_.at(which);
  const judge::TestResult& test = result_->tests.at(place.test);
  return {place.test, test.id, test.interaction->dialogue->remarks.at(*place.remark),
          test.interaction->managed};
}

// What the result has not kept is not told again. Who has seen more than there is saw it in an
// earlier life of ours: everything is new to them.
std::size_t Judging::next_after(std::uint64_t seen) const {
  const auto is_gone = [this](const Told& told) {
    return result_ && told.step == JudgingStep::Said && !places_.at(told.which).remark;
  };
  std::size_t at = seen > told_.size() ? 0 : seen;
  while (at < told_.size() && is_gone(told_[at]))
    ++at;
  return at;
}

// From the last one on, as a test that was run again has kept what was said then.
void Judging::find_places(const judge::JudgeResult& result) {
  std::vector<std::size_t> left;
  for (const judge::TestResult& test : result.tests)
    left.push_back(remarks_of(test));
  places_.resize(said_.size());
  for (std::size_t i = said_.size(); i-- > 0;) {
    const std::size_t test = places_[i].test = said_[i].test;
    if (left[test] == 0) continue;
    const exec::Remark& kept = result.tests[test].interaction->dialogue->remarks[left[test] - 1];
    if (kept == said_[i].remark) places_[i].remark = --left[test];
  }
}

std::optional<JudgingEvent> Judging::event_after(std::uint64_t seen) const {
  const std::lock_guard guard(lock_);
  const std::size_t at = next_after(seen);
  if (at == told_.size()) return std::nullopt;
  return event(at);
}

// The end is new to everybody, whatever they say they have seen.
bool Judging::is_new_to(std::uint64_t seen) const {
  return result_ || suspended_ || seen < told_.size();
}

std::unique_ptr<Judging::Listener> Judging::listen(std::uint64_t seen, std::function<void()> wake) {
  {
    const std::lock_guard guard(lock_);
    if (!is_new_to(seen)) {
      listeners_.emplace(++next_listener_, Waiting{seen, std::move(wake)});
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
  std::vector<std::function<void()>> due;
  {
    const std::lock_guard guard(lock_);
    for (auto each = listeners_.begin(); each != listeners_.end();) {
      const auto it = each++;
      if (!is_new_to(it->second.seen)) continue;
      due.push_back(std::move(it->second.wake));
      listeners_.erase(it);
    }
  }
  for (const auto& wake : due)
    wake();
}

void Judging::begin() {
  {
    const std::lock_guard guard(lock_);
    stage_ = JudgingStage::Compiling;
    so_far_.resize(tests_);  // not before: of those in line there are hundreds
    tell({JudgingStep::Begun});
  }
  wake_up();
}

void Judging::testing() {
  const std::lock_guard guard(lock_);
  stage_ = JudgingStage::Running;
}

void Judging::compiled(const judge::CompileResult& compile) {
  {
    const std::lock_guard guard(lock_);
    compile_ = compile;
    tell({JudgingStep::Compiled});
  }
  wake_up();
}

void Judging::tested(std::size_t index, const judge::TestResult& test) {
  {
    const std::lock_guard guard(lock_);
    so_far_.at(index) = test;
    ++tests_done_;
    tell({JudgingStep::Tested, index});
  }
  wake_up();
}

void Judging::said(std::size_t index, const exec::Remark& remark) {
  {
    const std::lock_guard guard(lock_);
    const bool managed = order_.problem->kind == judge::ProblemKind::Communication;
    said_.push_back({index, order_.problem->tests.at(index).id, remark, managed});
    tell({JudgingStep::Said, said_.size() - 1});
  }
  wake_up();
}

void Judging::suspend() {
  {
    const std::lock_guard guard(lock_);
    stage_ = JudgingStage::Pending;
    suspended_ = true;
  }
  wake_up();
}

// Of an order that is over only what answers need is kept: who it is, whom to tell, and how.
void Judging::forget_order() {
  judge::Submission& submission =
      order_.submission;  // others read id and language without the lock
  submission.sources = {};
  submission.archive.reset();
  submission.extra_flags = {};
  order_.problem = nullptr;
  order_.set = {};
}

void Judging::end(judge::JudgeResult result) {
  result.submission_id = id();
  result.received_at = received_at_;
  result.finished_at = Clock::now();
  {
    const std::lock_guard guard(lock_);
    CHECK(result.tests.size() == tests_);  // whoever was told of one may ask again
    find_places(result);
    result_ = std::make_shared<const judge::JudgeResult>(std::move(result));
    stage_ = JudgingStage::Over;
    compile_.reset();
    so_far_ = {};
    said_ = {};
    forget_order();
    tell({JudgingStep::Ended});
  }
  wake_up();
}

}  // namespace assay::service
