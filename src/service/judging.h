// One submission on its way to a verdict, as those see it who wait for it: how far it is, what was
// told so far, and the result. Safe from any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "config/catalogue.h"
#include "judge/cancellation.h"
#include "judge/pipeline.h"

namespace assay::service {

struct JudgeOrder {
  judge::Submission submission{};  // its id names the judging; empty: we make one
  std::shared_ptr<const judge::Problem> problem{};
  std::string problem_id{};      // empty: the problem came with the order
  std::int64_t problem_key = 0;  // of the problem in the journal; 0: it is not there
  judge::JudgeOptions options{};
  std::string policy{};               // empty: the default
  config::Catalogue::Snapshot set{};  // of the time when it came; filled in by the engine
  std::string digest{};  // of all that was said: who sends an id again must mean the same
  std::string webhook{};
  Bytes size{};  // of what it keeps from others, in memory or on the store's disk
  int priority = 0;
  bool wants_facts = false;
  bool waits = false;  // somebody stays on the line until it is judged
};

enum class JudgingStage { Pending, Compiling, Running, Over };

// What there is to tell, in the order in which it happened.
// Said: while it is spoken; whoever comes after the end is told what the result has kept of it.
enum class JudgingStep { Queued, Begun, Compiled, Said, Tested, Ended };

struct SaidInTest {
  std::size_t test = 0;
  std::string test_id{};
  exec::Remark remark{};
  bool managed = false;  // by a process of a communication problem, or by its manager
};

struct JudgingEvent {
  std::uint64_t number = 0;  // from 1
  JudgingStep step{};
  std::optional<judge::CompileResult> compile{};
  std::optional<SaidInTest> said{};
  std::optional<judge::TestResult> test{};  // Tested; what the result says, once it is there
  std::shared_ptr<const judge::JudgeResult> result{};  // Ended
};

struct JudgingView {
  JudgingStage stage = JudgingStage::Pending;
  std::size_t tests_done = 0;
  std::shared_ptr<const judge::JudgeResult> result{};  // Over
};

class Judging {
 public:
  using Clock = std::chrono::system_clock;

  explicit Judging(JudgeOrder order, Clock::time_point received_at = Clock::now());
  // One that is over, as it is remembered. The order has neither sources nor a problem.
  Judging(JudgeOrder order, judge::JudgeResult result);

  [[nodiscard]] const std::string& id() const { return order_.submission.id; }
  [[nodiscard]] const JudgeOrder& order() const { return order_; }  // as end() leaves it, once over
  [[nodiscard]] std::size_t tests() const { return tests_; }
  [[nodiscard]] Clock::time_point received_at() const { return received_at_; }
  [[nodiscard]] JudgingView view() const;
  // Nothing more will be told: it is over, or we stop and it is judged in our next life.
  [[nodiscard]] bool is_settled() const;

  // The next one after `seen`. Nothing is new: none.
  [[nodiscard]] std::optional<JudgingEvent> event_after(std::uint64_t seen) const;

  // Calls `wake` once when there is something after `seen`, which may be at once; from some thread.
  // After kEnd there is something when it is settled.
  // The listener is forgotten with the handle, and then never called again.
  static constexpr std::uint64_t kEnd = ~std::uint64_t{0};
  class Listener;
  [[nodiscard]] std::unique_ptr<Listener> listen(std::uint64_t seen, std::function<void()> wake);

 private:
  friend class Judgings;
  struct Told {
    JudgingStep step{};
    std::size_t which = 0;  // test; Said: of those
  };
  // A remark in the result. None: it is not there, as its test was run again.
  struct Place {
    std::size_t test = 0;
    std::optional<std::size_t> remark{};
  };
  struct Waiting {
    std::uint64_t seen = 0;
    std::function<void()> wake{};
  };
  void begin();
  void compiled(const judge::CompileResult& compile);
  void testing();
  void tested(std::size_t index, const judge::TestResult& test);
  void said(std::size_t index, const exec::Remark& remark);
  void end(judge::JudgeResult result);
  void forget_order();  // with the lock held
  void suspend();
  void tell(Told told);  // with the lock held
  void wake_up();        // without it
  [[nodiscard]] bool is_new_to(std::uint64_t seen) const;
  [[nodiscard]] JudgingEvent event(std::size_t at) const;
  [[nodiscard]] SaidInTest said_at(std::size_t which) const;
  void find_places(const judge::JudgeResult& result);
  [[nodiscard]] std::size_t next_after(std::uint64_t seen) const;

  JudgeOrder order_;
  const std::size_t tests_;
  const Clock::time_point received_at_;

  mutable std::mutex lock_;
  JudgingStage stage_ = JudgingStage::Pending;
  std::vector<Told> told_{{JudgingStep::Queued}};
  std::optional<judge::CompileResult> compile_{};           // until the result has it
  std::vector<std::optional<judge::TestResult>> so_far_{};  // likewise
  std::vector<SaidInTest> said_{};                          // until the end
  std::vector<Place> places_{};                             // of what was said, then
  std::size_t tests_done_ = 0;
  std::shared_ptr<const judge::JudgeResult> result_{};
  bool suspended_ = false;
  std::uint64_t next_listener_ = 0;
  std::map<std::uint64_t, Waiting> listeners_{};
  std::mutex waking_;  // held while listeners are called, so that forgetting one means it
};

class Judging::Listener {
 public:
  Listener(Judging& judging, std::uint64_t number) : judging_(judging), number_(number) {}
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener();

 private:
  Judging& judging_;
  std::uint64_t number_;
};

}  // namespace assay::service
