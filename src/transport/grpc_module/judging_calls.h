// Calls that go on while a judging does. gRPC's threads and those that judge only post; everything
// else happens on the loop's thread. Nobody waits in a thread.
//
// The listener is forgotten before Finish(), so that all it ever posted runs before OnDone's last
// word: after that this object is gone.
#pragma once

#include <memory>

#include "assay.grpc.pb.h"
#include "os/fd.h"
#include "service/judgings.h"
#include "transport/grpc_module/budget.h"
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
  explicit WaitCall(Parts parts) : parts_(std::move(parts)) {}
  void start();

 private:
  void OnCancel() override;
  void OnDone() override;
  void go_on();
  void give_up();
  void finish(const grpc::Status& status);

  Parts parts_;
  bool finishing_ = false;
  std::unique_ptr<service::Judging::Listener> listener_{};
};

// Answers at once, and keeps its share until the client has the answer.
class ToldCall final : public grpc::ServerUnaryReactor {
 public:
  ToldCall(const v1::JudgingState& answer, Budget::Share share);

 private:
  void OnDone() override { delete this; }

  Budget::Share share_;
};

class WatchCall final : public grpc::ServerWriteReactor<v1::JudgingEvent> {
 public:
  WatchCall(Loop& loop, std::shared_ptr<service::Judging> judging, std::uint64_t seen,
            grpc::CallbackServerContext& context, Budget::Share share)
      : loop_(loop),
        judging_(std::move(judging)),
        seen_(seen),
        context_(context),
        share_(std::move(share)) {}
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
  void watch_clock();
  void tick();

  Loop& loop_;
  std::shared_ptr<service::Judging> judging_;
  std::uint64_t seen_;
  grpc::CallbackServerContext& context_;
  Budget::Share share_;  // of the event on its way
  v1::JudgingEvent said_{};
  bool writing_ = false, gone_ = false, finishing_ = false;
  std::unique_ptr<service::Judging::Listener> listener_{};
  os::OwnedFd clock_{};
  std::uint64_t clock_watch_ = 0;
  std::uint64_t writes_ = 0, writes_at_tick_ = 0;
};

}  // namespace assay::transport::module
