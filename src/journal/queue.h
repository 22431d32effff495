// What waits to be written, and the thread that writes it: everything that waits goes into one
// transaction, so that many who wait at the same time wait for one commit.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

#include "journal/rows.h"

namespace assay::journal {

class Queue {
 public:
  using Act = std::move_only_function<Status(sqlite3* database, Changes& changes)>;
  struct Counts {
    std::uint64_t waiting = 0, written = 0, commits = 0, failures = 0, evicted = 0;
    Kept kept{};
  };

  // The handle is its own from now on. `pins` and `options` are borrowed.
  Queue(sqlite::Handle database, const Options& options, const Pins& pins, Kept kept);
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  ~Queue();  // after all of it was written

  // `files`: what goes when it cannot be written.
  Written put(Act act, std::size_t size, Dropped files = {});
  void wait_for_room();
  [[nodiscard]] Counts counts();

 private:
  struct Item {
    Act act{};
    std::promise<Status> done{};
    std::size_t size = 0;
    Dropped files{};
  };

  void work();
  void write(std::vector<Item>& items);
  Status write_together(std::vector<Item>& items, Changes& changes);
  Status in_transaction(const std::function<Status()>& work);
  void settle(const Changes& changes);
  void tell(const Status& state);
  void evict();

  const sqlite::Handle database_;
  const Options& options_;
  const Pins& pins_;
  bool is_well_ = true;  // of the last write; the thread's own

  std::mutex lock_;
  std::condition_variable changed_;
  std::vector<Item> waiting_{};
  std::size_t size_ = 0;  // of those that wait or are being written
  bool stopping_ = false;
  Counts counts_{};
  std::thread thread_;
};

}  // namespace assay::journal
