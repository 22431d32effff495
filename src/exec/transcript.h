// What programs said to each other, in the order in which it was said, with times. Bounded: the
// first of it is kept, and that there was more is noted.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace assay::exec {

struct Remark {
  unsigned voice = 0;  // whoever made the transcript knows who that is
  Nanoseconds at{};    // since the beginning
  std::string bytes{};
  bool operator==(const Remark&) const = default;
};

struct Dialogue {
  std::vector<Remark> remarks{};
  std::uint64_t bytes = 0;  // said in all
  bool truncated = false;   // of which some are not here
  bool operator==(const Dialogue&) const = default;
};

class Transcript {
 public:
  using Clock = std::chrono::steady_clock;

  // Told of what is kept, when it is said: one at a time, from the threads that add. Must be quick.
  using Heard = std::function<void(const Remark&)>;

  // Keeps about `most` of memory; the beginning is now.
  explicit Transcript(Bytes most, Heard heard = {})
      : most_(most), begun_(Clock::now()), heard_(std::move(heard)) {}

  void begin() { begun_ = Clock::now(); }  // again, before anybody adds

  // From any thread, before the bytes are passed on: no answer is noted before its question.
  void add(unsigned voice, std::string_view bytes);

  // It keeps nothing more; what is said then is only counted.
  [[nodiscard]] bool is_full();
  void count(std::uint64_t bytes);

  [[nodiscard]] Dialogue take();  // when nobody adds any more

 private:
  const Bytes most_;
  Clock::time_point begun_;
  const Heard heard_;
  std::mutex mutex_;
  std::uint64_t used_ = 0;
  Dialogue dialogue_;
};

}  // namespace assay::exec
