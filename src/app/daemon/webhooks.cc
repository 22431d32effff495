#include "app/daemon/webhooks.h"

#include "wire/judging.h"

namespace assay::daemon {
namespace {

void write_down(const transport::WebhookReport& what, bool is_journaled, const Log& log) {
  const std::vector<LogField> fields{{"submission", what.submission},
                                     {"address", what.place},
                                     {"attempts", std::int64_t{what.attempts}},
                                     {"reason", what.reason}};
  if (what.delivered)
    log.debug("result sent", fields);
  else if (what.will_retry)
    log.info("result not sent yet", fields);
  else if (what.interrupted && is_journaled)
    log.info("result not sent: it is sent after the next start", fields);
  else
    log.error("result NOT sent: the receiver must ask for it", fields);
}

}  // namespace

Result<std::unique_ptr<Webhooks>> Webhooks::open(const Settings& settings, const Log& log) {
  if (settings.webhook_prefix.empty()) return nullptr;
  std::vector<WebhookUrl> prefixes;
  prefixes.reserve(settings.webhook_prefix.size());
  for (const std::string& prefix : settings.webhook_prefix)
    prefixes.push_back(TRY(parse_webhook_prefix(prefix)));
  auto poster = TRY(transport::load_webhook());
  log.info("results are sent to webhooks",
           {{"prefixes", static_cast<std::int64_t>(prefixes.size())}});
  return std::unique_ptr<Webhooks>(
      new Webhooks(std::move(prefixes), std::move(poster), settings, log));
}

Webhooks::Webhooks(std::vector<WebhookUrl> prefixes,
                   std::unique_ptr<transport::WebhookPoster> poster, const Settings& settings,
                   const Log& log)
    : prefixes_(std::move(prefixes)),
      sender_(std::move(poster), {.secret = settings.webhook_secret,
                                  .report = [this, &log](const transport::WebhookReport& what) {
                                    write_down(what, settled_ != nullptr, log);
                                    if (settled_ && !what.will_retry && !what.interrupted)
                                      settled_(what.submission);
                                  }}) {}

void Webhooks::send(const service::Judging& judging) {
  const std::string& url = judging.order().webhook;
  if (url.empty()) return;
  sender_.put({.url = url, .submission = judging.id(), .body = wire::encode_judging(judging)});
}

}  // namespace assay::daemon
