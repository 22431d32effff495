#include "judge/testing.h"

#include <algorithm>
#include <thread>

#include "judge/stopping.h"
#include "os/cores.h"
#include "os/thread.h"

namespace assay::judge {
namespace {

using verdict::Verdict;

constexpr std::string_view kLeftOut = "\n... left out, as there are many tests ...\n";
static_assert(kLeftOut.size() < kLogOfMany.count);

// The same for all, so that who ends first decides nothing. Nothing: logs are as they are.
std::optional<Bytes> log_limit(std::size_t tests) {
  constexpr std::uint64_t kLogsOfATest = 3;
  const std::uint64_t part = kLogsTogether.count / kLogsOfATest / std::max<std::size_t>(tests, 1);
  if (part >= kLogLimit.count) return std::nullopt;
  return Bytes{std::max(part, kLogOfMany.count)};
}

// It may have been cut before, so how much is missing is not said.
void shorten(std::string& text, Bytes most) {
  if (text.size() <= most.count) return;
  const std::size_t half = (most.count - kLeftOut.size()) / 2;
  text.replace(half, text.size() - 2 * half, kLeftOut);
}

// Who has which test, and what is known so far.
class Board {
 public:
  Board(const Testing& testing, Cancellation& cancellation)
      : testing_(testing),
        stopping_(testing.problem, testing.stop),
        whole_(cancellation),
        known_(testing.problem.tests.size()),
        skipped_(known_.size(), false),
        told_(known_.size(), false),
        results_(known_.size()),
        running_(known_.size()),
        log_limit_(log_limit(known_.size())) {}

  void work(std::size_t worker) {
    std::vector<unsigned> place;
    if (!testing_.cores.empty()) place = {testing_.cores[worker % testing_.cores.size()]};
    const os::Stay stay(place);
    while (const auto index = take()) {
      running_[*index]->stay_on(place);
      finish(*index, testing_.test(*index, *running_[*index]));
    }
  }

  // When all work is done.
  std::vector<std::optional<TestResult>> results() {
    tell_but(skipped_);
    for (std::size_t i = 0; i < results_.size(); ++i)
      if (skipped_[i]) results_[i].reset();
    return std::move(results_);
  }

 private:
  std::optional<std::size_t> take() {
    const std::lock_guard lock(mutex_);
    while (next_ < known_.size() && skipped_[next_])
      ++next_;
    if (next_ == known_.size() || whole_.is_cancelled()) return std::nullopt;
    running_[next_] = std::make_unique<Cancellation>(whole_);
    return next_++;
  }

  void keep_small(TestResult& result) const {
    if (!log_limit_) return;
    for (std::string* log : {&result.output, &result.errors, &result.checker_log})
      shorten(*log, *log_limit_);
  }

  void finish(std::size_t index, TestResult result) {
    keep_small(result);
    const std::lock_guard lock(mutex_);
    running_[index].reset();
    known_[index] = result.verdict;
    skipped_ = stopping_.skipped_tests(known_);
    for (std::size_t i = 0; i < known_.size(); ++i)
      if (skipped_[i] && running_[i]) running_[i]->cancel();
    results_[index] = std::move(result);
    tell_but(stopping_.doubtful_tests(known_));
  }

  // What was told stays true: a test that an earlier one may yet make a skipped one is told later.
  void tell_but(const std::vector<bool>& kept_back) {
    if (!testing_.tested) return;
    for (std::size_t i = 0; i < results_.size(); ++i) {
      if (!results_[i] || told_[i] || kept_back[i]) continue;
      told_[i] = true;
      testing_.tested(i, *results_[i]);
    }
  }

  const Testing& testing_;
  const Stopping stopping_;
  Cancellation& whole_;
  std::mutex mutex_;
  std::size_t next_ = 0;
  std::vector<std::optional<Verdict>> known_;
  std::vector<bool> skipped_;
  std::vector<bool> told_;  // to the watcher
  std::vector<std::optional<TestResult>> results_;
  std::vector<std::unique_ptr<Cancellation>> running_;
  const std::optional<Bytes> log_limit_;
};

}  // namespace

std::vector<std::optional<TestResult>> run_tests(const Testing& testing,
                                                 Cancellation& cancellation) {
  Board board(testing, cancellation);
  const std::size_t count =
      std::clamp<std::size_t>(testing.workers, 1, testing.problem.tests.size());
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < count; ++i)
      if (auto thread = os::start_thread<std::jthread>([&board, i] { board.work(i); }))
        others.push_back(*std::move(thread));
    board.work(0);  // alone, if need be
  }
  return board.results();
}

}  // namespace assay::judge
