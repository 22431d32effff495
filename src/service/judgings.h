// Submissions and their judgings: taken once per id, kept in line, driven on the same cores as all
// other work, remembered for a while.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "service/judging.h"
#include "service/service.h"

namespace assay::service {

// Who judges: judge::Judge in the daemon, a fake in the tests of everything above it.
class JudgeEngine {
 public:
  virtual ~JudgeEngine() = default;
  // What is wrong with the order itself; what it takes to judge it later is added to it.
  virtual Status accept(JudgeOrder& order) = 0;
  virtual Result<judge::JudgeResult> judge(const JudgeOrder& order,
                                           const judge::JudgeEvents& events,
                                           judge::Cancellation& cancellation) = 0;
  // The result of a judging that came to nothing.
  [[nodiscard]] virtual judge::JudgeResult failed(const JudgeOrder& order, verdict::Verdict verdict,
                                                  std::string message) const = 0;
};

struct JudgingOptions {
  unsigned at_once = 0;  // judgings; 0: as many as the service has places
  unsigned queue_limit = 512;
  Bytes order_bytes = 1_GiB;      // of those that are not over; one alone may be larger
  std::size_t keep_count = 4096;  // of those that are over
  Bytes keep_bytes = 64_MiB;      // of their results
  std::chrono::seconds keep_time{1800};
};

struct JudgingSnapshot {
  std::uint64_t queued = 0, running = 0, kept = 0;
  std::uint64_t accepted = 0, finished = 0, refused = 0, cancelled = 0;
  std::uint64_t resumed = 0;  // of an earlier life
};

// Told of every judging that is over, on the thread that drove it.
using JudgingObserver = std::function<void(const Judging&, const judge::JudgeResult&)>;

class Ledger;

class Judgings {
 public:
  // With a ledger what is accepted outlives this process, and what is over is found for longer. It
  // is borrowed.
  Judgings(std::unique_ptr<JudgeEngine> engine, Service& service, JudgingOptions options,
           JudgingObserver observer, Ledger* ledger = nullptr);
  ~Judgings();  // cancels everything, waits

  // The same id with the same order is the judging that exists; with another it is a Conflict. Busy
  // when the queue is full or we stop. Unless the order waits, it is in the journal afterwards.
  struct Taken {
    std::shared_ptr<Judging> judging{};
    bool is_new = true;
  };
  Result<Taken> submit(JudgeOrder order);

  [[nodiscard]] Result<std::shared_ptr<Judging>> find(const std::string& id) const;
  // What was accepted in an earlier life and not finished is in line again. How many.
  Result<std::size_t> resume();

  // Waiting or running: over soon, as cancelled. Over: forgotten. The journal forgets both.
  Status remove(const std::string& id);

  [[nodiscard]] JudgingSnapshot snapshot() const;
  // What is not over by then is stopped; what the journal has is judged when we are back.
  void drain(std::chrono::milliseconds patience);

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace assay::service
