#include "transport/grpc_module/judging_calls.h"

#include <sys/timerfd.h>
#include <unistd.h>

#include "transport/grpc_module/judging_status.h"

namespace assay::transport::module {
namespace {

constexpr timespec kPatience{.tv_sec = 60, .tv_nsec = 0};  // with a client that takes nothing

// OK: there is room for a message beside what the share covers already.
grpc::Status affordable(const google::protobuf::MessageLite& message, Budget::Share& share) {
  if (const grpc::Status fits = can_be_sent(message); !fits.ok()) return fits;
  const std::uint64_t size = message.ByteSizeLong();
  if (size <= kSmallMessage || share.cover(share.size() + size)) return grpc::Status::OK;
  return {grpc::StatusCode::RESOURCE_EXHAUSTED, kOverBudget};
}

}  // namespace

ToldCall::ToldCall(const v1::JudgingState& answer, Budget::Share share) : share_(std::move(share)) {
  Finish(affordable(answer, share_));
}

void WaitCall::start() {
  parts_.loop.post([this] { go_on(); });
}

void WaitCall::OnCancel() {
  parts_.loop.post([this] { give_up(); });
}

void WaitCall::OnDone() {
  parts_.loop.post([this] { delete this; });
}

void WaitCall::go_on() {
  listener_.reset();
  if (finishing_) return;
  if (parts_.judging->is_settled()) {
    parts_.answer = to_state(*parts_.judging);
    return finish(affordable(parts_.answer, parts_.share));
  }
  listener_ = parts_.judging->listen(service::Judging::kEnd,
                                     [this] { parts_.loop.post([this] { go_on(); }); });
}

void WaitCall::give_up() {
  if (finishing_) return;
  listener_.reset();
  if (parts_.is_ours) (void)parts_.judgings.remove(parts_.judging->id());
  finish(grpc::Status::CANCELLED);
}

void WaitCall::finish(const grpc::Status& status) {
  finishing_ = true;
  Finish(status);
}

void WatchCall::start() {
  loop_.post([this] {
    watch_clock();
    go_on();
  });
}

void WatchCall::OnWriteDone(bool ok) {
  loop_.post([this, ok] { written(ok); });
}

void WatchCall::OnCancel() {
  loop_.post([this] { give_up(); });
}

void WatchCall::OnDone() {
  loop_.post([this] {
    loop_.forget(clock_watch_);
    delete this;
  });
}

void WatchCall::go_on() {
  listener_.reset();
  if (writing_ || finishing_ || gone_) return;
  const bool over = judging_->is_settled();  // before the event: none is missed
  if (const auto event = judging_->event_after(seen_)) return write(*event);
  if (over) return finish(grpc::Status::OK);
  listener_ = judging_->listen(seen_, [this] { loop_.post([this] { go_on(); }); });
}

void WatchCall::write(const service::JudgingEvent& event) {
  seen_ = event.number;
  said_ = to_event(event, *judging_);
  if (const grpc::Status fits = affordable(said_, share_); !fits.ok()) return finish(fits);
  writing_ = true;
  ++writes_;
  StartWrite(&said_);
}

void WatchCall::written(bool ok) {
  writing_ = false;
  said_.Clear();
  share_.shrink(0);
  if (!ok || gone_) return give_up();
  go_on();
}

void WatchCall::give_up() {
  gone_ = true;
  listener_.reset();
  if (!writing_) finish(grpc::Status::CANCELLED);
}

void WatchCall::finish(const grpc::Status& status) {
  if (finishing_) return;
  finishing_ = true;
  Finish(status);
}

// Looks now and then whether a write is stuck, which costs nothing while all is well.
void WatchCall::watch_clock() {
  clock_ = os::OwnedFd(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  if (!clock_.is_open()) return;
  const itimerspec period{.it_interval = kPatience, .it_value = kPatience};
  ::timerfd_settime(clock_.get(), 0, &period, nullptr);
  clock_watch_ = loop_.watch(clock_.get(), [this](auto) { tick(); }).value_or(0);
}

void WatchCall::tick() {
  std::uint64_t expirations = 0;
  if (::read(clock_.get(), &expirations, sizeof expirations) < 0) return;
  if (writing_ && writes_ == writes_at_tick_) context_.TryCancel();
  writes_at_tick_ = writes_;
}

}  // namespace assay::transport::module
