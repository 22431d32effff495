// Problems that were put here once, to be judged by their ids. Safe from any thread.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "judge/language.h"
#include "judge/problem.h"

namespace assay::service {

struct ProblemInfo {
  std::string id{};
  std::string digest{};  // of what was put
  std::size_t tests = 0;
  std::size_t subtasks = 0;
  std::int64_t key = 0;  // in the journal; 0: it is not there
};

class Ledger;

struct ProblemRoom {
  Bytes size{};           // in memory
  std::size_t files = 0;  // that are open
};

class Problems {
 public:
  struct Options {
    std::size_t count = 10'000;
    Bytes memory = 512_MiB;
    std::size_t files = 8192;
  };
  Problems() : Problems(Options{}) {}
  // With a ledger what was put outlives this process. It is borrowed.
  explicit Problems(Options options, Ledger* ledger = nullptr)
      : options_(options), ledger_(ledger) {}

  // Those of an earlier life. One sentence for each that cannot be had.
  Result<std::vector<std::string>> resume();

  static Status check_id(const std::string& id);

  // Replaces one of the same id: judgings that have begun go on with what they had. Busy when there
  // is no room. Whether it is new.
  Result<bool> put(const std::string& id, judge::Problem problem, std::string digest);
  struct Found {
    std::shared_ptr<const judge::Problem> problem{};
    ProblemInfo info{};
  };
  [[nodiscard]] Result<Found> find(const std::string& id) const;
  Status remove(const std::string& id);
  [[nodiscard]] std::vector<ProblemInfo> list() const;  // sorted by id

 private:
  using Room = ProblemRoom;
  struct Kept {
    Found found{};
    Room room{};
  };
  [[nodiscard]] Result<bool> admit(const std::string& id, const Room& room) const;  // is it new?
  void keep(ProblemInfo info, std::shared_ptr<const judge::Problem> problem, const Room& room);

  const Options options_;
  Ledger* const ledger_;  // may be null
  std::mutex changing_;   // the journal and we change in the same order
  mutable std::mutex lock_;
  std::map<std::string, Kept, std::less<>> kept_;
  Room used_{};
};

}  // namespace assay::service
