// One input as several values: what a parser is given beside the bytes that it parses.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

namespace assay::fuzz {

class Slices {
 public:
  static constexpr char kEnd = '\xff';  // of a part; no byte of UTF-8

  explicit Slices(std::string_view bytes) : left_(bytes) {}

  unsigned char byte() {
    if (left_.empty()) return 0;
    const auto first = static_cast<unsigned char>(left_[0]);
    left_.remove_prefix(1);
    return first;
  }
  std::string_view part() {
    const std::size_t end = std::min(left_.find(kEnd), left_.size());
    const std::string_view taken = left_.substr(0, end);
    left_.remove_prefix(std::min(end + 1, left_.size()));
    return taken;
  }
  std::string_view rest() { return take(left_.size()); }
  std::string_view take(std::size_t size) {
    const std::string_view taken = left_.substr(0, size);
    left_.remove_prefix(taken.size());
    return taken;
  }
  // Flat memory; what is missing is 0.
  template <typename T>
  T flat() {
    T value{};
    const std::string_view bytes = take(sizeof value);
    std::memcpy(static_cast<void*>(&value), bytes.data(), bytes.size());
    return value;
  }
  [[nodiscard]] bool is_empty() const { return left_.empty(); }

 private:
  std::string_view left_;
};

// Whatever is refused is refused as somebody's mistake, with words that are no flood.
template <typename Refused>
bool is_explained(const Refused& refused, std::size_t input) {
  const auto& error = refused.error();
  return error.fault == decltype(error.fault){} && !error.context.empty() &&
         error.context.size() <= 16 * input + 4096;
}

}  // namespace assay::fuzz
