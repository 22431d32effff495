#include "transport/grpc_module/executor.h"

#include <unistd.h>

#include <algorithm>

#include "transport/grpc_module/auth.h"
#include "transport/grpc_module/convert.h"
#include "transport/grpc_module/status.h"
#include "transport/grpc_module/stream_call.h"
#include "transport/grpc_module/unary_call.h"

namespace assay::transport::module {

namespace {

// Calls that are answered at once.
grpc::ServerUnaryReactor* answer(grpc::CallbackServerContext* context, const grpc::Status& status) {
  auto* reactor = context->DefaultReactor();
  reactor->Finish(status);
  return reactor;
}

class Refusal final : public grpc::ServerBidiReactor<pb::StreamRequest, pb::StreamResponse> {
 public:
  explicit Refusal(const grpc::Status& status) { Finish(status); }

 private:
  void OnDone() override { delete this; }
};

Status read_into(int fd, std::string& bytes) {
  std::size_t at = 0;
  while (at < bytes.size()) {
    const auto got = ::pread(fd, bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error("read a file of the store");
    if (got == 0) return system_error(EIO, "a file of the store is shorter than it was");
    at += static_cast<std::size_t>(got);
  }
  return {};
}

}  // namespace

Executor::Executor(service::Service& service, Loop& loop, std::string auth_token, Sizes sizes)
    : service_(service),
      loop_(loop),
      auth_token_(std::move(auth_token)),
      message_size_(sizes.message),
      budget_(sizes.buffered) {}

grpc::ServerUnaryReactor* Executor::Exec(grpc::CallbackServerContext* context,
                                         const pb::Request* request, pb::Response* response) {
  if (auto status = authorize(*context, auth_token_); !status.ok()) return answer(context, status);
  auto order = to_request(*request, false);
  if (!order) return answer(context, run_status(order.error()));
  auto share = budget_.take({request->ByteSizeLong()});
  if (!share) return answer(context, {grpc::StatusCode::RESOURCE_EXHAUSTED, kOverBudget});
  auto* call = new UnaryCall(*response, *std::move(share));
  call->start(service_, *std::move(order));
  return call;
}

grpc::ServerBidiReactor<pb::StreamRequest, pb::StreamResponse>* Executor::ExecStream(
    grpc::CallbackServerContext* context) {
  if (auto status = authorize(*context, auth_token_); !status.ok()) return new Refusal(status);
  auto* call = new StreamCall(service_, loop_, budget_, *context);
  call->start();
  return call;
}

grpc::ServerUnaryReactor* Executor::FileList(grpc::CallbackServerContext* context,
                                             const google::protobuf::Empty*,
                                             pb::FileListType* response) {
  auto status = authorize(*context, auth_token_);
  if (status.ok()) *response = to_file_list(service_.store().list());
  return answer(context, status);
}

grpc::Status Executor::get(const std::string& id, pb::FileContent& content) {
  auto opened = service_.store().get(id);
  if (!opened) return file_status(opened.error());
  if (opened->size > message_size_)
    return {grpc::StatusCode::RESOURCE_EXHAUSTED,
            "file " + id + " has " + std::to_string(opened->size.count) +
                " bytes, a message at most " + std::to_string(message_size_.count) +
                ": raise -grpc-msg-size or get it over HTTP"};
  content.set_name(as_utf8(std::move(opened->name)));
  content.mutable_content()->resize(opened->size.count);
  if (auto read = read_into(opened->file.get(), *content.mutable_content()); !read)
    return file_status(read.error());
  return grpc::Status::OK;
}

grpc::ServerUnaryReactor* Executor::FileGet(grpc::CallbackServerContext* context,
                                            const pb::FileID* request, pb::FileContent* response) {
  auto status = authorize(*context, auth_token_);
  if (status.ok()) status = get(request->fileid(), *response);
  return answer(context, status);
}

grpc::ServerUnaryReactor* Executor::FileAdd(grpc::CallbackServerContext* context,
                                            const pb::FileContent* request, pb::FileID* response) {
  if (auto status = authorize(*context, auth_token_); !status.ok()) return answer(context, status);
  auto id = service_.store().add(request->name(), request->content());
  if (!id) return answer(context, file_status(id.error()));
  response->set_fileid(*std::move(id));
  return answer(context, grpc::Status::OK);
}

grpc::ServerUnaryReactor* Executor::FileDelete(grpc::CallbackServerContext* context,
                                               const pb::FileID* request,
                                               google::protobuf::Empty*) {
  if (auto status = authorize(*context, auth_token_); !status.ok()) return answer(context, status);
  auto removed = service_.store().remove(request->fileid());
  return answer(context, removed ? grpc::Status::OK : file_status(removed.error()));
}

}  // namespace assay::transport::module
