// Calls that go on while a judging does. gRPC's threads and those that judge only post; everything
// else happens on the loop's thread. Nobody waits in a thread.
//
// The listener is forgotten before Finish(), so that all it ever posted runs before OnDone's last
// word: after that this object is gone.
#pragma once

#include <memory>

#include "assay.grpc.pb.h"
#include "service/judgings.h"
#include "transport/grpc_module/delivery.h"
#include "transport/grpc_module/judging_convert.h"
#include "transport/grpc_module/loop.h"

namespace assay::transport::module {

// Submit with `wait`: answers with the result.
class WaitCall final : public grpc::ServerUnaryReactor {
 public:
  struct Parts {
    service::Judgings& judgings;
    Loop& loop;
    std::shared_ptr<service::Judging> judging;
    bool is_ours = false;  // nobody else knows its id: it ends when the client goes
    v1::JudgingState& answer;
    Budget::Share share{};  // of the request, which lives as long as the call
  };
  WaitCall(Parts parts, Bounds& bounds, grpc::CallbackServerContext& context)
      : parts_(std::move(parts)), delivery_(bounds, context) {}
  void start();

 private:
  void OnCancel() override;
  void OnDone() override;
  void go_on();
  void give_up();
  void finish(const grpc::Status& status);

  Parts parts_;
  Delivery delivery_;
  bool finishing_ = false;
  std::unique_ptr<service::Judging::Listener> listener_{};
};

class WatchCall final : public grpc::ServerWriteReactor<v1::JudgingEvent> {
 public:
  WatchCall(Loop& loop, std::shared_ptr<service::Judging> judging, std::uint64_t seen,
            Bounds& bounds, grpc::CallbackServerContext& context)
      : loop_(loop), judging_(std::move(judging)), seen_(seen), delivery_(bounds, context) {}
  void start();

 private:
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;
  void go_on();  // writes the next event, if there is one and none is on its way
  void write(const service::JudgingEvent& event);
  void written(bool ok);
  void give_up();
  void finish(const grpc::Status& status);

  Loop& loop_;
  std::shared_ptr<service::Judging> judging_;
  std::uint64_t seen_;
  Delivery delivery_;  // of the event on its way
  v1::JudgingEvent said_{};
  bool writing_ = false, gone_ = false, finishing_ = false;
  std::unique_ptr<service::Judging::Listener> listener_{};
};

}  // namespace assay::transport::module
