// Sends results in the background: a queue with bounds, some threads, and another try where that
// may help. A receiver that hangs takes part of the threads, never all, and never one of those that
// judge.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/units.h"
#include "transport/webhook_rules.h"

namespace assay::transport {

struct WebhookDelivery {
  std::string url{};  // checked already
  std::string submission{};
  std::string body{};
  const char* method = "POST";
  std::uint64_t number = 0;  // for drop()
};

// What became of one, for the log.
struct WebhookReport {
  std::string submission{};
  std::string place{};  // the URL without its query, which may carry a secret
  bool delivered = false;
  bool will_retry = false;
  bool interrupted = false;  // nobody has refused it: it may be tried again in another life
  unsigned attempts = 0;
  std::string reason{};  // when it was not delivered
};

class WebhookSender {
 public:
  struct Options {
    std::string secret{};
    unsigned threads = 4;
    unsigned threads_per_receiver = 2;
    std::size_t queue_count = 1024;
    Bytes queue_size = 64_MiB;                   // of the bodies, those on their way too
    std::chrono::milliseconds patience{10'000};  // of one attempt
    std::function<std::optional<std::chrono::milliseconds>(unsigned attempts)> delay =
        webhook_delay;
    std::function<void(const WebhookReport&)> report{};  // from any thread; never under the lock
  };
  WebhookSender(std::unique_ptr<WebhookPoster> poster, Options options);
  WebhookSender(const WebhookSender&) = delete;
  WebhookSender& operator=(const WebhookSender&) = delete;
  ~WebhookSender();  // stops at once

  void put(WebhookDelivery delivery);  // never waits; what finds no room is reported as lost

  [[nodiscard]] std::size_t count() const;  // of what is neither delivered nor given up

  // What was put for this submission with a lower number is not tried again: it came once more.
  void drop(const std::string& submission, std::uint64_t number);

  // Takes nothing more, tries once more what waits, and gives up what is left after so long.
  void stop(std::chrono::milliseconds patience);

 private:
  using Clock = std::chrono::steady_clock;
  struct Item {
    WebhookDelivery delivery{};
    std::string receiver{};  // scheme, host and port
    unsigned attempts = 0;
    bool is_dropped = false;
  };
  using Line = std::multimap<Clock::time_point, Item>;

  void work();
  Line::node_type take_due();          // with the lock held; empty: none
  void attempt(Line::node_type node);  // without it
  void settle(Line::node_type node, const WebhookAnswer& answer);
  void wait_for_work(std::unique_lock<std::mutex>& held);
  void lose(const Item& item, const std::string& reason) const;
  void report(const WebhookReport& what) const;

  const std::unique_ptr<WebhookPoster> poster_;
  const Options options_;
  mutable std::mutex lock_;
  std::condition_variable changed_;
  Line waiting_{};                               // by when they are due
  std::map<std::string, unsigned> under_way_{};  // by receiver
  std::vector<Item*> on_their_way_{};            // the same, each
  std::uint64_t count_ = 0, size_ = 0;           // of all, those under way too
  bool stopping_ = false;
  std::atomic<bool> abort_ = false;
  std::vector<std::thread> threads_{};
};

}  // namespace assay::transport
