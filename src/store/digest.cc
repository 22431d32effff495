#include "store/digest.h"

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include <algorithm>
#include <array>

#include "base/check.h"
#include "store/packing.h"

namespace assay::store {
namespace {

constexpr std::size_t kSize = 32;

}  // namespace

// The plain functions, not EVP: that loads providers, which costs a daemon megabytes and a static
// binary a loader that it cannot have.
struct Sha256::Context {
  Context() { CHECK(SHA256_Init(&raw) == 1); }
  SHA256_CTX raw{};
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {}
Sha256::~Sha256() = default;

void Sha256::update(std::string_view bytes) {
  CHECK(SHA256_Update(&context_->raw, bytes.data(), bytes.size()) == 1);
}

std::string Sha256::finish() {
  std::array<unsigned char, kSize> raw{};
  CHECK(SHA256_Final(raw.data(), &context_->raw) == 1);
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text;
  text.reserve(2 * kSize);
  for (const unsigned char byte : raw) {
    text.push_back(kHex[byte >> 4U]);
    text.push_back(kHex[byte & 15U]);
  }
  return text;
}

std::string digest_of(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.finish();
}

Result<std::string> digest_of_file(int fd) {
  Sha256 hash;
  TRY_STATUS(read_through(fd, [&](std::string_view bytes) -> Status {
    hash.update(bytes);
    return {};
  }));
  return hash.finish();
}

bool is_digest(std::string_view text) {
  return text.size() == 2 * kSize && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

}  // namespace assay::store
