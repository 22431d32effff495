// A file seen through a buffer of fixed size. Private to the comparisons.
//
// Reads, not a mapping: whoever still holds the output could cut a mapped file and have us die of
// SIGBUS, and copying out of the page cache into a buffer that stays in the L2 cache costs less
// than the page faults.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "base/result.h"
#include "judge/compare.h"

namespace assay::judge {

constexpr bool is_blank(char c) {
  return c == ' ' || static_cast<unsigned char>(c - '\t') < 5;
}

// Into `buffer`, all that it takes; fewer bytes only at the end.
Result<std::size_t> read_side(const Side& side, std::uint64_t offset, std::span<char> buffer);

class Window {
 public:
  static constexpr std::size_t kCapacity = std::size_t{256} << 10;
  static constexpr std::size_t kMostKept = kLongestNumber + 1;  // and the blank before it

  // Lower: ASCII letters are seen in lower case.
  static Result<Window> over(const Side& side, bool lower);

  [[nodiscard]] const char* at() const { return buffer_.get() + at_; }
  [[nodiscard]] std::size_t left() const { return end_ - at_; }
  [[nodiscard]] std::string_view rest() const { return {at(), left()}; }
  [[nodiscard]] std::uint64_t offset() const { return read_ - left(); }
  void advance(std::size_t count) { at_ += count; }

  // Nothing is left and nothing will come.
  [[nodiscard]] bool is_at_end() const { return at_ == end_ && is_whole_; }
  [[nodiscard]] bool is_whole() const { return is_whole_; }  // the rest of the file is in rest()
  // Bytes just before at() that are still there; fewer than offset() means that some are not.
  [[nodiscard]] std::size_t behind() const { return at_; }

  // Reads on, and keeps `keep` (at most behind()) bytes before at() and all that is left. False
  // when nothing came: the file is whole, or the buffer full.
  Result<bool> more(std::size_t keep = 0);

  // At least one byte is left, unless the file is at its end. Keeps the last bytes of a token.
  Status fill();
  // The same, for callers that never look back.
  Status fill_forgetting();

  // How much of the token that at() may be inside of is behind it.
  [[nodiscard]] std::size_t token_behind() const;

 private:
  Window(const Side& side, std::uint64_t size, bool lower);

  std::unique_ptr<char[]> buffer_;
  Side side_;
  std::uint64_t size_;  // when we began: a file that grows does not keep us
  std::uint64_t read_ = 0;
  std::size_t at_ = 0, end_ = 0;
  bool lower_;
  bool is_whole_ = false;
};

// How many bytes are the same.
std::size_t common_prefix(const char* a, const char* b, std::size_t size);
// The same if every blank is as good as every other; stops up to a block early.
std::size_t common_but_blanks(const char* a, const char* b, std::size_t size);

}  // namespace assay::judge
