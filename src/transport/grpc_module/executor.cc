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

constexpr std::size_t kFraming = 32;  // at most, of a file in its message

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

Executor::Executor(service::Service& service, Loop& loop, Deadlines& deadlines,
                   std::string auth_token, Sizes sizes)
    : service_(service),
      loop_(loop),
      auth_token_(std::move(auth_token)),
      message_size_(sizes.message),
      bounds_{.budget = Budget(sizes.buffered), .deadlines = deadlines} {}

grpc::ServerUnaryReactor* Executor::Exec(grpc::CallbackServerContext* context,
                                         const pb::Request* request, pb::Response* response) {
  if (auto status = authorize(*context, auth_token_); !status.ok())
    return refused(*context, status);
  auto order = to_request(*request, false);
  if (!order) return refused(*context, run_status(order.error()));
  auto share = bounds_.budget.take({request->ByteSizeLong()});
  if (!share) return refused(*context, {grpc::StatusCode::RESOURCE_EXHAUSTED, kOverBudget});
  auto* call = new UnaryCall(*response, *std::move(share), bounds_, *context);
  call->start(service_, *std::move(order));
  return call;
}

grpc::ServerBidiReactor<pb::StreamRequest, pb::StreamResponse>* Executor::ExecStream(
    grpc::CallbackServerContext* context) {
  if (auto status = authorize(*context, auth_token_); !status.ok()) return new Refusal(status);
  auto* call = new StreamCall(service_, loop_, bounds_, *context);
  call->start();
  return call;
}

grpc::ServerUnaryReactor* Executor::FileList(grpc::CallbackServerContext* context,
                                             const google::protobuf::Empty*,
                                             pb::FileListType* response) {
  if (auto status = authorize(*context, auth_token_); !status.ok())
    return refused(*context, status);
  *response = to_file_list(service_.store().list());
  return told(bounds_, *context, *response);
}

grpc::Status Executor::get(const std::string& id, pb::FileContent& content, ToldCall& call) {
  auto opened = service_.store().get(id);
  if (!opened) return file_status(opened.error());
  if (opened->size > message_size_)
    return {grpc::StatusCode::RESOURCE_EXHAUSTED,
            "file " + id + " has " + std::to_string(opened->size.count) +
                " bytes, a message at most " + std::to_string(message_size_.count) +
                ": raise -grpc-msg-size or get it over HTTP"};
  content.set_name(as_utf8(std::move(opened->name)));
  auto room = call.reserve(content.name().size() + opened->size.count + kFraming);
  if (!room.ok()) return room;
  content.mutable_content()->resize(opened->size.count);
  if (auto read = read_into(opened->file.get(), *content.mutable_content()); !read)
    return file_status(read.error());
  return grpc::Status::OK;
}

grpc::ServerUnaryReactor* Executor::FileGet(grpc::CallbackServerContext* context,
                                            const pb::FileID* request, pb::FileContent* response) {
  if (auto status = authorize(*context, auth_token_); !status.ok())
    return refused(*context, status);
  auto* call = new ToldCall(bounds_, *context);
  call->tell(get(request->fileid(), *response, *call), *response);
  return call;
}

grpc::ServerUnaryReactor* Executor::FileAdd(grpc::CallbackServerContext* context,
                                            const pb::FileContent* request, pb::FileID* response) {
  if (auto status = authorize(*context, auth_token_); !status.ok())
    return refused(*context, status);
  auto share = bounds_.budget.take({request->ByteSizeLong()});
  if (!share) return refused(*context, {grpc::StatusCode::RESOURCE_EXHAUSTED, kOverBudget});
  auto id = service_.store().add(request->name(), request->content());
  if (!id) return refused(*context, file_status(id.error()));
  response->set_fileid(*std::move(id));
  return told(bounds_, *context, *response, *std::move(share));
}

grpc::ServerUnaryReactor* Executor::FileDelete(grpc::CallbackServerContext* context,
                                               const pb::FileID* request,
                                               google::protobuf::Empty* response) {
  if (auto status = authorize(*context, auth_token_); !status.ok())
    return refused(*context, status);
  auto removed = service_.store().remove(request->fileid());
  if (!removed) return refused(*context, file_status(removed.error()));
  return told(bounds_, *context, *response);
}

}  // namespace assay::transport::module
