#include "transport/grpc_module/judging_calls.h"

namespace assay::transport::module {

void WaitCall::start() {
  parts_.loop.post([this] { go_on(); });
}

void WaitCall::OnCancel() {
  parts_.loop.post([this] { give_up(); });
}

void WaitCall::OnDone() {
  delivery_.end();
  parts_.loop.post([this] { delete this; });
}

void WaitCall::go_on() {
  listener_.reset();
  if (finishing_) return;
  if (parts_.judging->is_settled()) {
    parts_.answer = to_state(*parts_.judging);
    return finish(delivery_.begin(parts_.answer));
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
  loop_.post([this] { go_on(); });
}

void WatchCall::OnWriteDone(bool ok) {
  loop_.post([this, ok] { written(ok); });
}

void WatchCall::OnCancel() {
  loop_.post([this] { give_up(); });
}

void WatchCall::OnDone() {
  loop_.post([this] { delete this; });
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
  if (const grpc::Status fits = delivery_.begin(said_); !fits.ok()) return finish(fits);
  writing_ = true;
  StartWrite(&said_);
}

void WatchCall::written(bool ok) {
  writing_ = false;
  said_.Clear();
  delivery_.end();
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

}  // namespace assay::transport::module
