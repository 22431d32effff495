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
};

class Problems {
 public:
  struct Options {
    std::size_t count = 10'000;
    Bytes memory = 512_MiB;  // of the texts that are kept in memory
  };
  Problems() : Problems(Options{}) {}
  explicit Problems(Options options) : options_(options) {}

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
  struct Kept {
    Found found{};
    Bytes size{};
  };
  const Options options_;
  mutable std::mutex lock_;
  std::map<std::string, Kept, std::less<>> kept_;
  Bytes used_{};
};

}  // namespace assay::service
