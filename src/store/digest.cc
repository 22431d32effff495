#include "store/digest.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include "base/check.h"
#include "store/packing.h"

namespace assay::store {
namespace {

constexpr std::size_t kSize = 32;

// Fetched once: looking the algorithm up by name costs more than hashing a small file.
const EVP_MD* sha256() {
  static const EVP_MD* const kind = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  CHECK(kind != nullptr);
  return kind;
}

}  // namespace

struct Sha256::Context {
  Context() : raw(EVP_MD_CTX_new()) {
    CHECK(raw != nullptr);
    CHECK(EVP_DigestInit_ex(raw, sha256(), nullptr) == 1);
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() { EVP_MD_CTX_free(raw); }
  EVP_MD_CTX* raw;
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {}
Sha256::~Sha256() = default;

void Sha256::update(std::string_view bytes) {
  CHECK(EVP_DigestUpdate(context_->raw, bytes.data(), bytes.size()) == 1);
}

std::string Sha256::finish() {
  std::array<unsigned char, kSize> raw{};
  unsigned size = 0;
  CHECK(EVP_DigestFinal_ex(context_->raw, raw.data(), &size) == 1 && size == kSize);
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
