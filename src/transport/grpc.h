// The gRPC door. It lives in a shared object of its own that is loaded only when asked for: gRPC
// costs more memory than the rest of the daemon together. Nothing here includes gRPC.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "base/units.h"
#include "service/service.h"

namespace assay::transport {

// What happened to a call, for whoever counts.
struct RpcEvent {
  enum class Kind { Started, Received, Sent, Handled };
  Kind kind{};
  std::string service{};  // "pb.Executor"
  std::string method{};   // "Exec"
  std::string type{};     // "unary", "bidi_stream", …
  std::string code{};     // Handled: "OK", "NotFound", …
};
using RpcObserver = std::function<void(const RpcEvent&)>;

struct JudgingDoors;  // judging_doors.h

struct GrpcOptions {
  std::string address = "localhost:5051";  // host:port; ":5051" is every address of the machine
  std::string auth_token{};                // empty: everybody
  Bytes message_size = 64_MiB;  // the largest message that is taken, and file that is given
  Bytes buffered = 1_GiB;       // of messages at hand, for each service; four large ones always fit
  RpcObserver observer{};       // of every call, on any thread
  std::shared_ptr<JudgingDoors> judging{};  // null: there is no assay.v1.Judging
};

// Serves from its making until stop().
class GrpcServer {
 public:
  virtual ~GrpcServer() = default;  // stops at once
  // Takes nothing new, lets calls end for so long, cancels the rest and waits for them. The service
  // must still be there.
  virtual void stop(std::chrono::milliseconds patience) = 0;
  [[nodiscard]] virtual int port() const = 0;
};

// The entry of the module: null, and the reason in `error`, when it cannot listen. The service is
// borrowed.
using GrpcStart = GrpcServer* (*)(service::Service&, const GrpcOptions&, std::string* error);

// Loads the module; nothing ever unloads it. An empty path: 'libassay-grpc.so' beside this program,
// or in ../lib/assay.
Result<GrpcStart> load_grpc(const std::string& path = "");

}  // namespace assay::transport

extern "C" assay::transport::GrpcServer* assay_grpc_start(
    assay::service::Service& service, const assay::transport::GrpcOptions& options,
    std::string* error);
