// Results that are sent to whom their submitters named.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/daemon/config/settings.h"
#include "app/daemon/config/webhook_url.h"
#include "app/daemon/log.h"
#include "service/judging.h"
#include "transport/webhook_sender.h"

namespace assay::daemon {

class Webhooks {
 public:
  // Null: nobody may be called, and nothing is loaded. The log is borrowed.
  static Result<std::unique_ptr<Webhooks>> open(const Settings& settings, const Log& log);

  [[nodiscard]] Status check(const std::string& url) const { return check_webhook(prefixes_, url); }
  // Told of every submission whose result was delivered or refused; set before the first send().
  void when_settled(std::function<void(const std::string& submission)> settled) {
    settled_ = std::move(settled);
  }
  void send(const service::Judging& judging);  // that is over; does not wait
  void stop(std::chrono::milliseconds patience) { sender_.stop(patience); }

 private:
  Webhooks(std::vector<WebhookUrl> prefixes, std::unique_ptr<transport::WebhookPoster> poster,
           const Settings& settings, const Log& log);

  std::vector<WebhookUrl> prefixes_;
  std::function<void(const std::string& submission)> settled_{};
  transport::WebhookSender sender_;
};

}  // namespace assay::daemon
