#include "store/id.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace assay::store {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
constexpr std::size_t kLetters = 16;
constexpr std::size_t kShortest = 8;
constexpr std::size_t kLongest = 64;

}  // namespace

Result<std::string> make_id() {
  std::array<std::uint8_t, kLetters> random{};
  ssize_t got = 0;
  do {
    got = ::getrandom(random.data(), random.size(), 0);
  } while (got < 0 && errno == EINTR);
  if (got != static_cast<ssize_t>(random.size())) return system_error("draw a random id");
  std::string id;
  id.reserve(kLetters);
  for (const std::uint8_t byte : random)
    id.push_back(kAlphabet[byte % kAlphabet.size()]);  // 256 is a multiple of 32: no bias
  return id;
}

bool is_id(std::string_view text) {
  return text.size() >= kShortest && text.size() <= kLongest &&
         std::ranges::all_of(
             text, [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '2' && c <= '7'); });
}

}  // namespace assay::store
