#include "transport/webhook_rules.h"

#include <gtest/gtest.h>

namespace assay::transport {
namespace {

using namespace std::chrono_literals;

TEST(WebhookRules, TheHmacIsThatOfRfc4231) {
  EXPECT_EQ(hmac_sha256("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(hmac_sha256(std::string(20, '\x0b'), "Hi There"),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(hmac_sha256("", ""),
            "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

TEST(WebhookRules, TheTimestampIsSignedWithTheBody) {
  const std::chrono::system_clock::time_point now{1'700'000'000'999ms};
  EXPECT_EQ(webhook_fields("key", "s-1", "{}", now),
            (std::vector<std::string>{
                "Content-Type: application/json", "X-Assay-Submission: s-1",
                "X-Assay-Timestamp: 1700000000",
                "X-Assay-Signature: sha256=" + hmac_sha256("key", "1700000000.{}")}));
  EXPECT_NE(webhook_fields("key", "s", "{}", now)[3],
            webhook_fields("key", "s", "{}", now + 1s)[3]);
}

TEST(WebhookRules, OnlyWhatMayHelpIsTriedAgain) {
  for (const int status : {200, 201, 204, 299})
    EXPECT_EQ(judge_answer({.status = status}), WebhookOutcome::Delivered) << status;
  for (const int status : {0, 429, 500, 502, 503, 599})
    EXPECT_EQ(judge_answer({.status = status}), WebhookOutcome::Again) << status;
  for (const int status : {100, 199, 301, 302, 304, 307, 308, 400, 401, 404, 408, 410})
    EXPECT_EQ(judge_answer({.status = status}), WebhookOutcome::Refused) << status;
}

TEST(WebhookRules, TheWaitsGrowAndEnd) {
  std::vector<std::chrono::milliseconds> delays;
  for (unsigned attempts = 1; const auto delay = webhook_delay(attempts); ++attempts)
    delays.push_back(*delay);
  EXPECT_EQ(delays, (std::vector<std::chrono::milliseconds>{1s, 2s, 4s, 8s, 16s, 30s}));
  EXPECT_FALSE(webhook_delay(0));
  EXPECT_FALSE(webhook_delay(UINT_MAX));
}

}  // namespace
}  // namespace assay::transport
