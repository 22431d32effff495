// Who posts results to the addresses that clients named. The HTTP client behind it lives in a
// shared object of its own that is loaded only when somebody may be called. Nothing here includes
// libcurl.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay::transport {

struct WebhookRequest {
  const std::string& url;
  const std::vector<std::string>& fields;  // "Name: value"
  std::string_view body;
  const char* method = "POST";
  std::chrono::milliseconds patience;  // from the look-up of the name to the end of the answer
};

struct WebhookAnswer {
  int status = 0;         // 0: there was none
  std::string trouble{};  // then: why
};

class WebhookPoster {
 public:
  WebhookPoster() = default;
  WebhookPoster(const WebhookPoster&) = delete;
  WebhookPoster& operator=(const WebhookPoster&) = delete;
  WebhookPoster(WebhookPoster&&) = delete;
  WebhookPoster& operator=(WebhookPoster&&) = delete;
  virtual ~WebhookPoster() = default;
  // From any thread. Never follows a redirect; what the answer carries is thrown away. Ends soon
  // after `abort` is set.
  virtual WebhookAnswer post(const WebhookRequest& request, const std::atomic<bool>& abort) = 0;
};

// Loads the module; nothing ever unloads it. An empty path: 'libassay-webhook.so' beside this
// program, or in ../lib/assay.
Result<std::unique_ptr<WebhookPoster>> load_webhook(const std::string& path = "");

}  // namespace assay::transport

// The entry of the module: null, and the reason in `error`, when libcurl cannot work here.
extern "C" assay::transport::WebhookPoster* assay_webhook_start(std::string* error);
