#include "transport/grpc_module/judging_service.h"

#include <algorithm>

#include "transport/grpc_module/auth.h"
#include "transport/grpc_module/judging_calls.h"
#include "transport/grpc_module/judging_convert.h"
#include "transport/grpc_module/judging_status.h"
#include "transport/judging_order.h"

namespace assay::transport::module {
namespace {

using Context = grpc::CallbackServerContext;

grpc::ServerUnaryReactor* answer(Context* context, const grpc::Status& status) {
  auto* reactor = context->DefaultReactor();
  reactor->Finish(status);
  return reactor;
}

grpc::Status status_of(const Status& done) {
  return done ? grpc::Status::OK : judging_status(done.error());
}

class Refusal final : public grpc::ServerWriteReactor<v1::JudgingEvent> {
 public:
  explicit Refusal(const grpc::Status& status) { Finish(status); }

 private:
  void OnDone() override { delete this; }
};

}  // namespace

JudgingService::JudgingService(std::shared_ptr<JudgingDoors> doors, std::unique_ptr<Loop> loop,
                               std::string auth_token, Bytes message_size)
    : doors_(std::move(doors)),
      auth_token_(std::move(auth_token)),
      budget_({std::max((1_GiB).count, 4 * message_size.count)}),
      loop_(std::move(loop)) {}

Result<service::Judgings::Taken> JudgingService::take(const v1::SubmitRequest& request) {
  service::JudgeOrder order = TRY(to_order(request, doors_->contents));
  TRY_STATUS(complete(order, *doors_, {.webhook = "webhook", .problem_id = "problem_id"}));
  order.waits = request.wait();
  return doors_->judgings.submit(std::move(order));
}

grpc::ServerUnaryReactor* JudgingService::Submit(Context* context, const v1::SubmitRequest* request,
                                                 v1::JudgingState* response) {
  if (auto status = authorize(*context, auth_token_); !status.ok()) return answer(context, status);
  auto share = budget_.take({request->ByteSizeLong()});
  if (!share) return answer(context, {grpc::StatusCode::RESOURCE_EXHAUSTED, kOverBudget});
  auto taken = take(*request);
  if (!taken) return answer(context, judging_status(taken.error()));
  if (!request->wait()) {
    *response = to_state(*taken->judging);
    return answer(context, can_be_sent(*response));
  }
  auto* call = new WaitCall({.judgings = doors_->judgings,
                             .loop = *loop_,
                             .judging = std::move(taken->judging),
                             .is_ours = request->submission_id().empty(),
                             .answer = *response,
                             .share = *std::move(share)});
  call->start();
  return call;
}

grpc::ServerUnaryReactor* JudgingService::Get(Context* context, const v1::SubmissionRef* request,
                                              v1::JudgingState* response) {
  if (auto status = authorize(*context, auth_token_); !status.ok()) return answer(context, status);
  const auto judging = doors_->judgings.find(request->submission_id());
  if (!judging) return answer(context, judging_status(judging.error()));
  *response = to_state(**judging);
  return answer(context, can_be_sent(*response));
}

grpc::ServerUnaryReactor* JudgingService::Cancel(Context* context, const v1::SubmissionRef* request,
                                                 google::protobuf::Empty*) {
  auto status = authorize(*context, auth_token_);
  if (status.ok()) status = status_of(doors_->judgings.remove(request->submission_id()));
  return answer(context, status);
}

grpc::ServerWriteReactor<v1::JudgingEvent>* JudgingService::Watch(Context* context,
                                                                  const v1::WatchRequest* request) {
  if (auto status = authorize(*context, auth_token_); !status.ok()) return new Refusal(status);
  auto judging = doors_->judgings.find(request->submission_id());
  if (!judging) return new Refusal(judging_status(judging.error()));
  auto* call = new WatchCall(*loop_, *std::move(judging), request->after(), *context);
  call->start();
  return call;
}

grpc::ServerUnaryReactor* JudgingService::ListLanguages(Context* context,
                                                        const google::protobuf::Empty*,
                                                        v1::LanguageList* response) {
  auto status = authorize(*context, auth_token_);
  if (status.ok() && doors_->languages) *response = to_languages(doors_->languages());
  return answer(context, status);
}

Status JudgingService::put(const v1::PutProblemRequest& request, v1::PutProblemReply& reply) {
  judge::Problem problem = TRY(to_problem(request.problem(), "problem", doors_->contents));
  if (doors_->check_problem) TRY_STATUS(doors_->check_problem(problem));
  const std::string& id = request.problem_id();
  reply.set_is_new(TRY(doors_->problems.put(id, std::move(problem), digest_of(request.problem()))));
  *reply.mutable_problem() = to_info(TRY(doors_->problems.find(id)).info);
  return {};
}

grpc::ServerUnaryReactor* JudgingService::PutProblem(Context* context,
                                                     const v1::PutProblemRequest* request,
                                                     v1::PutProblemReply* response) {
  if (auto status = authorize(*context, auth_token_); !status.ok()) return answer(context, status);
  const auto share = budget_.take({request->ByteSizeLong()});
  if (!share) return answer(context, {grpc::StatusCode::RESOURCE_EXHAUSTED, kOverBudget});
  return answer(context, status_of(put(*request, *response)));
}

grpc::ServerUnaryReactor* JudgingService::GetProblem(Context* context,
                                                     const v1::ProblemRef* request,
                                                     v1::ProblemInfo* response) {
  if (auto status = authorize(*context, auth_token_); !status.ok()) return answer(context, status);
  const auto found = doors_->problems.find(request->problem_id());
  if (!found) return answer(context, judging_status(found.error()));
  *response = to_info(found->info);
  return answer(context, grpc::Status::OK);
}

grpc::ServerUnaryReactor* JudgingService::DeleteProblem(Context* context,
                                                        const v1::ProblemRef* request,
                                                        google::protobuf::Empty*) {
  auto status = authorize(*context, auth_token_);
  if (status.ok()) status = status_of(doors_->problems.remove(request->problem_id()));
  return answer(context, status);
}

grpc::ServerUnaryReactor* JudgingService::ListProblems(Context* context,
                                                       const google::protobuf::Empty*,
                                                       v1::ProblemList* response) {
  auto status = authorize(*context, auth_token_);
  if (status.ok())
    for (const service::ProblemInfo& problem : doors_->problems.list())
      *response->add_problems() = to_info(problem);
  return answer(context, status);
}

}  // namespace assay::transport::module
