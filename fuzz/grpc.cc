// Messages of gRPC's clients, as they come off the wire.
#include "base/check.h"
#include "fuzz/contents.h"
#include "fuzz/slices.h"
#include "fuzz/targets.h"
#include "transport/grpc_module/convert.h"
#include "transport/grpc_module/judging_convert.h"
#include "wire/json.h"

namespace assay::fuzz {

void grpc_run(std::string_view bytes) {
  Slices in(bytes);
  const bool live = in.byte() % 2 == 1;
  pb::Request message;
  if (!message.ParseFromString(std::string(in.rest()))) return;
  const auto request = transport::module::to_request(message, live);
  if (!request) {
    CHECK(is_explained(request, bytes.size()));
    return;
  }
  // JSON has no other bytes than text for what is sent in it.
  const auto again = wire::decode_request(wire::encode_request(*request));
  CHECK(again.has_value() && again->commands.size() == request->commands.size());
}

void grpc_judging(std::string_view bytes) {
  SomeContents contents;
  transport::module::v1::SubmitRequest message;
  if (!message.ParseFromString(std::string(bytes))) return;
  const auto order = transport::module::to_order(message, contents);
  if (!order) {
    CHECK(is_explained(order, bytes.size()));
    return;
  }
  CHECK(!order->submission.sources.empty() || order->submission.archive);
}

}  // namespace assay::fuzz
