// SipHash-1-3 with 128 bits of result: nobody who does not know the key can find two texts, or two
// collections of texts, with the same hash or the same sum of hashes. Private to the comparisons.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace assay::judge {

struct HashKey {
  std::uint64_t low = 0, high = 0;
};

struct Hash {
  std::uint64_t low = 0, high = 0;
};

// A value: a copy hashes on from where it was taken.
class Hasher {
 public:
  explicit Hasher(HashKey key)
      : v0_(key.low ^ 0x736f6d6570736575),
        v1_(key.high ^ 0x646f72616e646f6d ^ 0xee),
        v2_(key.low ^ 0x6c7967656e657261),
        v3_(key.high ^ 0x7465646279746573) {}

  void update(std::string_view text) {
    std::size_t at = 0;
    for (; at < text.size() && length_ % 8 != 0; ++at)
      add(text[at]);
    for (; at + 8 <= text.size(); at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, text.data() + at, 8);
      length_ += 8;
      absorb(word);
    }
    for (; at < text.size(); ++at)
      add(text[at]);
  }

  Hash finish() {
    absorb(tail_ | length_ << 56);
    v2_ ^= 0xee;
    rounds(3);
    const std::uint64_t low = v0_ ^ v1_ ^ v2_ ^ v3_;
    v1_ ^= 0xdd;
    rounds(3);
    return {low, v0_ ^ v1_ ^ v2_ ^ v3_};
  }

 private:
  void add(char c) {
    tail_ |= std::uint64_t{static_cast<unsigned char>(c)} << (length_ % 8 * 8);
    if (++length_ % 8 != 0) return;
    absorb(tail_);
    tail_ = 0;
  }

  void absorb(std::uint64_t word) {
    v3_ ^= word;
    rounds(1);
    v0_ ^= word;
  }

  void rounds(int count) {
    for (int i = 0; i < count; ++i) {
      v0_ += v1_;
      v2_ += v3_;
      v1_ = std::rotl(v1_, 13) ^ v0_;
      v3_ = std::rotl(v3_, 16) ^ v2_;
      v0_ = std::rotl(v0_, 32);
      v2_ += v1_;
      v0_ += v3_;
      v1_ = std::rotl(v1_, 17) ^ v2_;
      v3_ = std::rotl(v3_, 21) ^ v0_;
      v2_ = std::rotl(v2_, 32);
    }
  }

  std::uint64_t v0_, v1_, v2_, v3_;
  std::uint64_t tail_ = 0;
  std::uint64_t length_ = 0;
};

}  // namespace assay::judge
