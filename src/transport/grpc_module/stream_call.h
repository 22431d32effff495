// One ExecStream. gRPC's and the service's threads only post; everything else happens on the loop's
// thread.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "executor.grpc.pb.h"
#include "service/service.h"
#include "transport/grpc_module/delivery.h"
#include "transport/grpc_module/hold.h"
#include "transport/grpc_module/live_ends.h"
#include "transport/grpc_module/loop.h"

namespace assay::transport::module {

class StreamCall final : public grpc::ServerBidiReactor<pb::StreamRequest, pb::StreamResponse> {
 public:
  StreamCall(service::Service& service, Loop& loop, Bounds& bounds,
             grpc::CallbackServerContext& context);
  void start();

 private:
  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

  void heard(bool ok);
  Status take();  // the message that was just read
  Status begin(const pb::Request& message);
  void submit(exec::Request request);
  void read_on();
  void pump();  // writes the next answer, if there is one and none is on its way
  void write();
  void written(bool ok);
  void over(service::Results results);
  void fail(const grpc::Status& status);  // the job is cancelled first
  void finish(const grpc::Status& status);

  service::Service& service_;
  Loop& loop_;
  Budget& budget_;
  Deadlines::Wait wait_;  // for the first message, then for what is being written
  pb::StreamRequest heard_{};
  pb::StreamResponse said_{};
  bool reading_ = false, writing_ = false;
  bool input_ended_ = false, last_said_ = false, finishing_ = false;
  bool running_ = false;   // a job is on its way
  Budget::Share share_{};  // of the request and of its input, as much as ever waited
  Budget::Share response_share_{};
  std::uint64_t request_size_ = 0;
  std::string request_id_{};
  std::unique_ptr<LiveEnds> ends_{};  // since the request was taken
  std::shared_ptr<Hold> hold_ = std::make_shared<Hold>();
  std::optional<pb::Response> response_{};  // what to say at last
  std::optional<grpc::Status> failure_{};   // or how to end without
};

}  // namespace assay::transport::module
