#include "tests/judging/fixture_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace assay::test {
namespace {

int runs_asked_for(int usual) {
  const char* said = std::getenv("ASSAY_PAIR_RUNS");  // NOLINT(concurrency-mt-unsafe)
  return said == nullptr ? usual : std::atoi(said);   // NOLINT(cert-err34-c)
}

bool is_loaded() {
  return std::getenv("ASSAY_PAIR_LOAD") != nullptr;  // NOLINT(concurrency-mt-unsafe)
}

class Load {
 public:
  explicit Load(unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      threads_.emplace_back([](const std::stop_token& over) {
        while (!over.stop_requested()) {
        }
      });
  }

 private:
  std::vector<std::jthread> threads_;
};

}  // namespace

void repeat(const Repetition& repetition, int usual) {
  const int runs = runs_asked_for(usual);
  const Load load(is_loaded() ? 2 * std::thread::hardware_concurrency() : 0);
  std::atomic<int> begun = 0;
  std::mutex mutex;
  std::map<std::string, int> wrong;
  {
    std::vector<std::jthread> threads;
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    const auto count = std::min(repetition.at_once * cores, static_cast<unsigned>(runs));
    for (unsigned i = 0; i < count; ++i)
      threads.emplace_back([&] {
        while (begun++ < runs) {
          const std::string story = repetition.once();
          if (story.empty()) continue;
          const std::lock_guard lock(mutex);
          ++wrong[story];
        }
      });
  }
  for (const auto& [story, times] : wrong)
    ADD_FAILURE() << repetition.name << ": " << times << " times " << story;
}

}  // namespace assay::test
