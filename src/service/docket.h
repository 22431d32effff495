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

namespace assay::service {

class Docket {
 public:
  // A judging with what it takes to stop it.
  struct Entry {
    std::shared_ptr<Judging> judging{};
    std::shared_ptr<judge::Cores> cores{};
    std::unique_ptr<judge::Cancellation> cancellation{};

   private:
    friend class Docket;
    enum class Stage { Waiting, Begun, Over } stage = Stage::Waiting;
    Bytes size{};
    std::chrono::steady_clock::time_point over_at{};
  };
  using EntryPtr = std::shared_ptr<Entry>;

  explicit Docket(const JudgingOptions& options) : options_(options) {}

  Result<Judgings::Taken> take(JudgeOrder order, const Service& service);
  EntryPtr next();                                // waits; null: dismissed
  void close(const EntryPtr& entry, Bytes size);  // its result is there

  [[nodiscard]] Result<std::shared_ptr<Judging>> find(const std::string& id);
  // What is to be stopped: one that runs, or that waited and now never begins. Null: it was over,
  // and is forgotten.
  struct Stop {
    EntryPtr entry{};
    bool has_begun = false;
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

  const JudgingOptions options_;
  std::mutex lock_;
  std::condition_variable work_to_do_;
  std::condition_variable all_over_;
  std::unordered_map<std::string, EntryPtr> entries_;
  std::map<int, std::deque<EntryPtr>, std::greater<>> waiting_;  // by priority, highest first
  std::deque<EntryPtr> over_;                                    // oldest first
  Bytes kept_{};
  std::uint64_t open_ = 0;  // taken, and not over yet
  bool refuses_ = false, dismissed_ = false;
  JudgingSnapshot counts_{};
};

}  // namespace assay::service
