#include "transport/module_loader.h"
#include "transport/webhook.h"

namespace assay::transport {

Result<std::unique_ptr<WebhookPoster>> load_webhook(const std::string& path) {
  void* entry = TRY(load_entry({.what = "webhook",
                                .file = "libassay-webhook.so",
                                .entry = "assay_webhook_start",
                                .package = "libcurl4"},
                               path));
  std::string why;
  std::unique_ptr<WebhookPoster> poster(
      reinterpret_cast<decltype(&assay_webhook_start)>(entry)(&why));
  if (poster == nullptr) return system_error(0, "start the webhook: " + why);
  return poster;
}

}  // namespace assay::transport
