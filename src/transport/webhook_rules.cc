#include "transport/webhook_rules.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <climits>

#include "base/check.h"

namespace assay::transport {

using namespace std::chrono_literals;

std::string hmac_sha256(std::string_view key, std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  CHECK(key.size() <= INT_MAX);
  // A null key would mean the last one that was used.
  const char* start = key.empty() ? "" : key.data();
  const auto* made = ::HMAC(::EVP_sha256(), start, static_cast<int>(key.size()),
                            reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                            digest.data(), &size);
  CHECK(made != nullptr);
  std::string hex;
  for (unsigned i = 0; i < size; ++i)
    fmt::format_to(std::back_inserter(hex), "{:02x}", digest.at(i));
  return hex;
}

std::vector<std::string> webhook_fields(std::string_view secret, std::string_view submission,
                                        std::string_view body,
                                        std::chrono::system_clock::time_point now) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count();
  return {"Content-Type: application/json", fmt::format("X-Assay-Submission: {}", submission),
          fmt::format("X-Assay-Timestamp: {}", seconds),
          fmt::format("X-Assay-Signature: sha256={}",
                      hmac_sha256(secret, fmt::format("{}.{}", seconds, body)))};
}

WebhookOutcome judge_answer(const WebhookAnswer& answer) {
  if (answer.status >= 200 && answer.status < 300) return WebhookOutcome::Delivered;
  if (answer.status == 0 || answer.status == 429 || answer.status >= 500)
    return WebhookOutcome::Again;
  return WebhookOutcome::Refused;
}

std::optional<std::chrono::milliseconds> webhook_delay(unsigned attempts) {
  constexpr std::array<std::chrono::milliseconds, 6> kDelays{1s, 2s, 4s, 8s, 16s, 30s};
  if (attempts == 0 || attempts > kDelays.size()) return std::nullopt;
  return kDelays.at(attempts - 1);
}

}  // namespace assay::transport
