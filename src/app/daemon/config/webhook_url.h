// Addresses that results may be sent to. Stricter than the standard: what we take must mean the
// same to everybody who reads it after us.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay::daemon {

struct WebhookUrl {
  bool secure = false;
  std::string host{};  // in lower case
  std::uint16_t port = 0;
  std::string path{};   // without the query; begins with '/' or is empty
  std::string query{};  // with its '?'
  bool operator==(const WebhookUrl&) const = default;
};

// One sentence without the text itself, which may carry a secret.
Result<WebhookUrl> parse_webhook_url(std::string_view text);

// A prefix has no query.
Result<WebhookUrl> parse_webhook_prefix(std::string_view text);

// Scheme, host and port are the same, and whole segments of the path: '/a' is before '/a/b' and not
// before '/ab'.
bool is_before(const WebhookUrl& prefix, const WebhookUrl& url);

Status check_webhook(const std::vector<WebhookUrl>& prefixes, std::string_view text);

}  // namespace assay::daemon
