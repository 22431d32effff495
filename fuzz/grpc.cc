// Messages of gRPC's clients, as they come off the wire.
#include <google/protobuf/stubs/logging.h>

#include "base/check.h"
#include "fuzz/contents.h"
#include "fuzz/slices.h"
#include "fuzz/targets.h"
#include "transport/grpc_module/convert.h"
#include "transport/grpc_module/judging_convert.h"

namespace assay::fuzz {
namespace {

// protobuf writes a line about every text that is no UTF-8.
template <typename Message>
bool parse(Message& message, std::string_view bytes) {
  static const auto before = google::protobuf::SetLogHandler(nullptr);
  (void)before;
  return message.ParseFromString(std::string(bytes));
}

}  // namespace

void grpc_run(std::string_view bytes) {
  Slices in(bytes);
  const bool live = in.byte() % 2 == 1;
  pb::Request message;
  if (!parse(message, in.rest())) return;
  const auto request = transport::module::to_request(message, live);
  if (!request) {
    CHECK(is_explained(request, bytes.size()));
    return;
  }
  for (const exec::Command& command : request->commands) {
    for (const std::string& argument : command.args)
      CHECK(!argument.contains('\0'));
    CHECK(command.limits.cpu.value_or(Nanoseconds{}) <= std::chrono::hours(24 * 36600));
  }
}

void grpc_judging(std::string_view bytes) {
  SomeContents contents;
  transport::module::v1::SubmitRequest message;
  if (!parse(message, bytes)) return;
  service::Supply supply(contents);
  const auto order = transport::module::to_order(message, supply);
  if (!order) {
    CHECK(is_explained(order, bytes.size()));
    return;
  }
  CHECK(!order->submission.sources.empty() || order->submission.archive);
}

}  // namespace assay::fuzz
