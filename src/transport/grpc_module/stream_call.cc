#include "transport/grpc_module/stream_call.h"

#include <algorithm>
#include <climits>

#include "transport/grpc_module/convert.h"
#include "transport/grpc_module/status.h"
#include "transport/grpc_module/unary_call.h"

namespace assay::transport::module {

namespace {

constexpr std::size_t kInputAhead = 1
                                    << 20;  // read ahead of the program, so that a cancel is heard

grpc::Status invalid_stream(const std::string& text) {
  return {grpc::StatusCode::INVALID_ARGUMENT, text};
}

winsize to_size(const pb::StreamRequest::Resize& resize) {
  constexpr auto fit = [](std::uint32_t value) {
    return static_cast<unsigned short>(std::min<std::uint32_t>(value, USHRT_MAX));
  };
  return {.ws_row = fit(resize.rows()),
          .ws_col = fit(resize.cols()),
          .ws_xpixel = fit(resize.x()),
          .ws_ypixel = fit(resize.y())};
}

}  // namespace

StreamCall::StreamCall(service::Service& service, Loop& loop, Bounds& bounds,
                       grpc::CallbackServerContext& context)
    : service_(service),
      loop_(loop),
      budget_(bounds.budget),
      wait_(bounds.deadlines, context.c_call()) {}

void StreamCall::start() {
  loop_.post([this] {
    wait_.begin_for_request();
    read_on();
  });
}

void StreamCall::OnReadDone(bool ok) {
  loop_.post([this, ok] { heard(ok); });
}

void StreamCall::OnWriteDone(bool ok) {
  loop_.post([this, ok] { written(ok); });
}

void StreamCall::OnCancel() {
  loop_.post([this] { fail(grpc::Status::CANCELLED); });
}

void StreamCall::OnDone() {
  loop_.post([this] { delete this; });
}

void StreamCall::read_on() {
  if (reading_ || input_ended_ || finishing_ || failure_ || response_) return;
  if (ends_ && ends_->waiting() >= kInputAhead) return;
  reading_ = true;
  heard_.Clear();
  StartRead(&heard_);
}

void StreamCall::heard(bool ok) {
  reading_ = false;
  if (!ends_) wait_.end();
  if (finishing_ || failure_ || response_) return;
  if (!ok) {
    input_ended_ = true;
    if (ends_) return ends_->end_inputs();
    return fail(invalid_stream("the stream ended before an execRequest"));
  }
  if (auto taken = take(); !taken) return fail(run_status(taken.error()));
  read_on();
}

Status StreamCall::take() {
  const auto kind = heard_.request_case();
  if (kind == pb::StreamRequest::kExecRequest) return begin(heard_.execrequest());
  if (!ends_) return invalid("the first message of a stream must be an execRequest");
  switch (kind) {
    case pb::StreamRequest::kExecInput: {
      auto& input = *heard_.mutable_execinput();
      if (!share_.cover(request_size_ + ends_->waiting() + input.content().size())) {
        fail({grpc::StatusCode::RESOURCE_EXHAUSTED, kOverBudget});
        return {};
      }
      return ends_->input(input.index(), input.fd(), std::move(*input.mutable_content()));
    }
    case pb::StreamRequest::kExecResize:
      return ends_->resize(heard_.execresize().index(), to_size(heard_.execresize()));
    case pb::StreamRequest::kExecCancel:
      hold_->cancel();
      return {};
    default:
      return invalid("a message of the stream has no request that this server knows");
  }
}

Status StreamCall::begin(const pb::Request& message) {
  if (ends_) return invalid("a stream runs one execRequest only");
  auto request = TRY(to_request(message, true));
  auto share = budget_.take({message.ByteSizeLong()});
  if (!share) {
    fail({grpc::StatusCode::RESOURCE_EXHAUSTED, kOverBudget});
    return {};
  }
  share_ = *std::move(share);
  request_size_ = message.ByteSizeLong();
  request_id_ = request.id;
  ends_ = std::make_unique<LiveEnds>(loop_, request, [this] {
    pump();
    read_on();
  });
  submit(std::move(request));
  return {};
}

void StreamCall::submit(exec::Request request) {
  running_ = true;
  const auto attach = [this](std::vector<exec::LiveStream> streams) {
    loop_.post(
        [this, streams = std::move(streams)]() mutable { ends_->attach(std::move(streams)); });
  };
  hold_->keep(service_.submit({.request = std::move(request),
                               .done =
                                   [this, hold = hold_](service::Results results) {
                                     hold->release();
                                     loop_.post([this, results = std::move(results)]() mutable {
                                       over(std::move(results));
                                     });
                                   },
                               .on_streams = attach,
                               .skip_queue = true}));
}

void StreamCall::over(service::Results results) {
  running_ = false;
  ends_->finish();
  if (!failure_ && !results && results.error().fault == Fault::InvalidRequest)
    failure_ = run_status(results.error());
  if (failure_) return finish(*failure_);
  // Failures of our own come in the last message, so that output before them is not lost.
  response_ =
      to_response(request_id_, results ? *std::move(results) : decltype(results)::value_type{});
  if (!results) response_->set_error(as_utf8(describe(results.error())));
  // Now, and not when it is written: it waits until the output before it is taken.
  auto share = budget_.take({response_->ByteSizeLong()});
  if (!share) {
    forget_files(service_, *response_);
    response_.reset();
    return fail({grpc::StatusCode::RESOURCE_EXHAUSTED, kOverBudget});
  }
  response_share_ = *std::move(share);
  pump();
}

void StreamCall::pump() {
  if (writing_ || finishing_ || failure_ || last_said_) return;
  if (auto output = ends_->next_output()) {
    auto& said = *said_.mutable_execoutput();
    said.set_index(static_cast<std::uint32_t>(output->index));
    said.set_fd(static_cast<std::uint32_t>(output->fd));
    said.set_content(std::move(output->bytes));
    return write();
  }
  if (!response_ || !ends_->drained()) return;
  if (auto fits = fits_into_message(*response_); !fits.ok()) return fail(fits);
  last_said_ = true;
  *said_.mutable_execresponse() = std::move(*response_);
  write();
}

void StreamCall::write() {
  writing_ = true;
  wait_.begin_for_answer(said_.ByteSizeLong());
  StartWrite(&said_);
}

void StreamCall::written(bool ok) {
  writing_ = false;
  wait_.end();
  if (!ok) return fail(grpc::Status::CANCELLED);
  if (failure_) return finish(*failure_);
  if (last_said_) return finish(grpc::Status::OK);
  pump();
}

void StreamCall::fail(const grpc::Status& status) {
  if (!failure_) failure_ = status;
  hold_->cancel();
  finish(*failure_);
}

// Only when nothing of ours is under way any more: then this object may go.
void StreamCall::finish(const grpc::Status& status) {
  if (finishing_ || running_ || writing_) return;
  finishing_ = true;
  wait_.end();
  Finish(status);
}

}  // namespace assay::transport::module
