#include "transport/webhook_sender.h"

#include <fmt/format.h>

#include "base/check.h"
#include "os/thread.h"

namespace assay::transport {
namespace {

// "http://host:80" of "http://host:80/path?query"
std::string receiver_of(std::string_view url) {
  const std::size_t host = url.find("//");
  CHECK(host != std::string_view::npos);
  return std::string(url.substr(0, url.find_first_of("/?", host + 2)));
}

std::string describe_answer(const WebhookAnswer& answer) {
  return answer.status == 0 ? answer.trouble : fmt::format("answered {}", answer.status);
}

}  // namespace

WebhookSender::WebhookSender(std::unique_ptr<WebhookPoster> poster, Options options)
    : poster_(std::move(poster)), options_(std::move(options)) {
  CHECK(poster_ != nullptr && options_.threads > 0 && options_.threads_per_receiver > 0);
  threads_ = os::start_threads(options_.threads, [this] {
    ::pthread_setname_np(::pthread_self(), "webhook");
    work();
  });
}

WebhookSender::~WebhookSender() {
  stop(std::chrono::milliseconds(0));
}

void WebhookSender::put(WebhookDelivery delivery) {
  Item item{.delivery = std::move(delivery)};
  item.receiver = receiver_of(item.delivery.url);
  const std::uint64_t size = item.delivery.body.size();
  const char* refusal = nullptr;
  {
    const std::lock_guard guard(lock_);
    if (stopping_)
      refusal = "we are stopping";
    else if (count_ >= options_.queue_count || size_ + size > options_.queue_size.count)
      refusal = "too many results wait to be sent";
    if (refusal == nullptr) {
      ++count_;
      size_ += size;
      waiting_.emplace(Clock::now(), std::move(item));
      changed_.notify_one();
      return;
    }
  }
  lose(item, refusal);
}

void WebhookSender::work() {
  std::unique_lock held(lock_);
  while (!abort_) {
    if (Line::node_type node = take_due()) {
      held.unlock();
      attempt(std::move(node));
      held.lock();
    } else {
      if (stopping_ && waiting_.empty()) return;
      wait_for_work(held);
    }
  }
}

WebhookSender::Line::node_type WebhookSender::take_due() {
  const auto now = Clock::now();
  for (auto at = waiting_.begin(); at != waiting_.end(); ++at) {
    if (at->first > now && !stopping_) break;
    unsigned& busy = under_way_[at->second.receiver];
    if (busy >= options_.threads_per_receiver) continue;
    ++busy;
    on_their_way_.push_back(&at->second);  // a node keeps its address
    return waiting_.extract(at);
  }
  return {};
}

// What is due and yet not taken waits for its receiver: whoever is done with that says so.
void WebhookSender::wait_for_work(std::unique_lock<std::mutex>& held) {
  const auto next = waiting_.upper_bound(Clock::now());
  if (stopping_ || next == waiting_.end())
    changed_.wait(held);
  else
    changed_.wait_until(held, Clock::time_point(next->first));
}

void WebhookSender::attempt(Line::node_type node) {
  Item& item = node.mapped();
  const WebhookDelivery& delivery = item.delivery;
  const std::vector<std::string> fields = webhook_fields(
      options_.secret, delivery.submission, delivery.body, std::chrono::system_clock::now());
  ++item.attempts;
  const WebhookAnswer answer = poster_->post({.url = delivery.url,
                                              .fields = fields,
                                              .body = delivery.body,
                                              .method = delivery.method,
                                              .patience = options_.patience},
                                             abort_);
  settle(std::move(node), answer);
}

void WebhookSender::settle(Line::node_type node, const WebhookAnswer& answer) {
  const WebhookOutcome outcome = judge_answer(answer);
  Item& item = node.mapped();
  const auto delay =
      outcome == WebhookOutcome::Again ? options_.delay(item.attempts) : std::nullopt;
  WebhookReport what{.submission = item.delivery.submission,
                     .place = item.delivery.url.substr(0, item.delivery.url.find('?')),
                     .delivered = outcome == WebhookOutcome::Delivered,
                     .attempts = item.attempts};
  if (!what.delivered) what.reason = describe_answer(answer);
  {
    const std::lock_guard guard(lock_);
    const auto busy = under_way_.find(item.receiver);
    if (--busy->second == 0) under_way_.erase(busy);
    std::erase(on_their_way_, &item);
    what.will_retry = delay && !stopping_ && !item.is_dropped;
    what.interrupted = delay && stopping_ && !item.is_dropped;
    if (what.will_retry) {
      node.key() = Clock::now() + *delay;
      waiting_.insert(std::move(node));
    } else {
      --count_;
      size_ -= item.delivery.body.size();
    }
    changed_.notify_all();
  }
  report(what);
}

std::size_t WebhookSender::count() const {
  const std::lock_guard guard(lock_);
  return count_;
}

void WebhookSender::drop(const std::string& submission, std::uint64_t number) {
  const auto is_old = [&](const Item& item) {
    return item.delivery.submission == submission && item.delivery.number < number;
  };
  Line dropped;
  {
    const std::lock_guard guard(lock_);
    for (auto at = waiting_.begin(); at != waiting_.end();) {
      const auto here = at++;
      if (is_old(here->second)) dropped.insert(waiting_.extract(here));
    }
    for (const auto& [due, item] : dropped) {
      --count_;
      size_ -= item.delivery.body.size();
    }
    for (Item* item : on_their_way_)
      if (is_old(*item)) item->is_dropped = true;
    changed_.notify_all();
  }
  for (const auto& [due, item] : dropped)
    lose(item, "it is judged again");
}

void WebhookSender::stop(std::chrono::milliseconds patience) {
  Line lost;
  {
    std::unique_lock held(lock_);
    stopping_ = true;
    changed_.notify_all();
    changed_.wait_for(held, patience, [&] { return count_ == 0; });
    abort_ = true;
    lost.swap(waiting_);
    for (const auto& [due, item] : lost) {
      --count_;
      size_ -= item.delivery.body.size();
    }
    changed_.notify_all();
  }
  for (std::thread& thread : threads_)
    thread.join();
  threads_.clear();
  for (const auto& [due, item] : lost)
    lose(item, "we are stopping");
}

void WebhookSender::lose(const Item& item, const std::string& reason) const {
  report({.submission = item.delivery.submission,
          .place = item.delivery.url.substr(0, item.delivery.url.find('?')),
          .interrupted = true,
          .attempts = item.attempts,
          .reason = reason});
}

void WebhookSender::report(const WebhookReport& what) const {
  if (options_.report) options_.report(what);
}

}  // namespace assay::transport
