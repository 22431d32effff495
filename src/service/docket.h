// Which judgings there are: those that wait, in their order, those that run, and those that are
// over and remembered for a while. What the drivers and the clients of Judgings share; no threads
// here.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "service/judgings.h"
#include "service/ledger.h"

namespace assay::service {

Error is_another(const std::string& id);  // than the submission that was sent under this id before

class Docket {
 public:
  // A judging with what it takes to stop it.
  struct Entry {
    std::shared_ptr<Judging> judging{};
    std::shared_ptr<judge::Cores> cores{};
    std::unique_ptr<judge::Cancellation> cancellation{};
    journal::Key key = 0;         // in the journal; 0: it is not kept there
    journal::Written recorded{};  // that it was accepted; not valid: nobody waits for that

   private:
    friend class Docket;
    // Held: it is being written down, and not in line yet.
    enum class Stage { Held, Waiting, Begun, Over } stage = Stage::Waiting;
    bool is_recorded = false;   // the journal knows that it is not finished
    bool is_removed = false;    // the journal has forgotten it, or must not know of it
    bool is_suspended = false;  // we stop; it is judged when we are back
    bool is_forgotten = false;  // removed when its result was there: nobody asks for it any more
    Bytes size{};               // of the result
    Bytes order_size{};         // until it is over
    std::chrono::steady_clock::time_point over_at{};
  };
  using EntryPtr = std::shared_ptr<Entry>;

  Docket(const JudgingOptions& options, Ledger* ledger) : options_(options), ledger_(ledger) {}

  // The order has an id. With a draft it is written down, and in line only at enter_line(), unless
  // somebody waits: who was promised nothing loses nothing.
  struct Taken {
    EntryPtr entry{};
    bool is_new = true;
  };
  Result<Taken> take(JudgeOrder order, const Service& service, Ledger::Draft* draft);
  void enter_line(const EntryPtr& entry);
  // It was not written down: it is forgotten, and its judging is to be ended. False: somebody has
  // stopped it and ends it.
  bool withdraw(const EntryPtr& entry);
  // One of an earlier life. Not in line: its result is there soon.
  EntryPtr restore(JudgeOrder order, const Service& service, const Ledger::Unfinished& old,
                   bool in_line);
  EntryPtr next();  // waits; null: dismissed
  [[nodiscard]] bool is_suspended(const EntryPtr& entry);
  void record(const EntryPtr& entry, journal::Finished row);  // its result is there
  // Who waits for the end of all waits until it is told, too.
  void close(const EntryPtr& entry, Bytes size);
  void told();

  [[nodiscard]] Result<std::shared_ptr<Judging>> find(const std::string& id);
  // What is to be stopped: one that runs, or that waited and now never begins. Null: it was over,
  // and is forgotten.
  struct Stop {
    EntryPtr entry{};
    bool has_begun = false;
    journal::Written removed{};  // from the journal; not valid: it was not there
  };
  Result<Stop> remove(const std::string& id);

  void refuse_more();
  bool await_end(std::chrono::milliseconds patience);  // whether all are over
  void await_end();
  std::vector<Stop> stop_all();
  void dismiss();
  [[nodiscard]] JudgingSnapshot snapshot();

 private:
  void forget_old();
  void leave_line(const EntryPtr& entry);
  EntryPtr add(JudgeOrder order, const Service& service, Judging::Clock::time_point received_at);
  void give_back(Entry& entry);  // what its order kept
  void put_in_line(const EntryPtr& entry);

  const JudgingOptions options_;
  Ledger* const ledger_;  // may be null
  std::mutex lock_;
  std::condition_variable work_to_do_;
  std::condition_variable all_over_;
  std::unordered_map<std::string, EntryPtr> entries_;
  std::map<int, std::deque<EntryPtr>, std::greater<>> waiting_;  // by priority, highest first
  std::deque<EntryPtr> over_;                                    // oldest first
  Bytes kept_{}, ordered_{};
  std::uint64_t open_ = 0;  // taken, and not told yet that it is over
  bool refuses_ = false, dismissed_ = false;
  JudgingSnapshot counts_{};
};

}  // namespace assay::service
