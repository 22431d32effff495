#include "transport/grpc_module/unary_call.h"

#include <limits>

#include "transport/grpc_module/convert.h"
#include "transport/grpc_module/status.h"

namespace assay::transport::module {

grpc::Status fits_into_message(const pb::Response& response) {
  const auto size = response.ByteSizeLong();
  if (size <= static_cast<std::size_t>(std::numeric_limits<int>::max())) return grpc::Status::OK;
  return {
      grpc::StatusCode::RESOURCE_EXHAUSTED,
      "the results have " + std::to_string(size) +
          " bytes, more than a message can hold: use copyOutCached and get the files over HTTP"};
}

void forget_files(service::Service& service, const pb::Response& response) {
  for (const auto& result : response.results())
    for (const auto& [name, id] : result.fileids())
      (void)service.store().remove(id);  // gone already: somebody else removed it
}

// Once `done` has run, this object may be gone: only the hold may be touched after submit().
void UnaryCall::start(service::Service& service, exec::Request request) {
  service_ = &service;
  request_id_ = request.id;
  const auto hold = hold_;
  hold->keep(service.submit(
      {.request = std::move(request), .done = [this, hold](service::Results results) {
         hold->release();
         answer(std::move(results));
       }}));
}

void UnaryCall::answer(service::Results results) {
  if (!results) return Finish(run_status(results.error()));
  response_ = to_response(request_id_, *std::move(results));
  auto told = fits_into_message(response_);
  if (told.ok()) told = delivery_.begin(response_);
  if (!told.ok()) forget_files(*service_, response_);
  Finish(told);
}

}  // namespace assay::transport::module
