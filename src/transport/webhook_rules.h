// How a result is signed, and when it is sent again. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "transport/webhook.h"

namespace assay::transport {

// Lower-case hex of HMAC-SHA256.
std::string hmac_sha256(std::string_view key, std::string_view text);

// What the receiver needs to know who sends, and that it is not an old message sent again:
// X-Assay-Timestamp is Unix seconds, X-Assay-Signature is "sha256=" and the HMAC of
// "<timestamp>.<body>".
std::vector<std::string> webhook_fields(std::string_view secret, std::string_view submission,
                                        std::string_view body,
                                        std::chrono::system_clock::time_point now);

enum class WebhookOutcome { Delivered, Again, Refused };
// Again: no answer, 429 or 5xx. A redirect is a refusal.
WebhookOutcome judge_answer(const WebhookAnswer& answer);

// How long to wait after so many attempts that came to nothing; none: give up.
std::optional<std::chrono::milliseconds> webhook_delay(unsigned attempts);

}  // namespace assay::transport
