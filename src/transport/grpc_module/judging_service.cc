#include "transport/grpc_module/judging_service.h"

#include "store/digest.h"
#include "transport/grpc_module/auth.h"
#include "transport/grpc_module/judging_calls.h"
#include "transport/grpc_module/judging_convert.h"
#include "transport/grpc_module/judging_parts.h"
#include "transport/grpc_module/judging_status.h"
#include "transport/judging_order.h"

namespace assay::transport::module {
namespace {

using Context = grpc::CallbackServerContext;

grpc::Status status_of(const Status& done) {
  return done ? grpc::Status::OK : judging_status(done.error());
}

// What a request names and has us read is as good as sent.
service::Supply::Cover growing(Budget::Share& share, std::uint64_t message) {
  return [&share, message](std::uint64_t sources) {
    return share.cover(message + sources);
  };
}

class Refusal final : public grpc::ServerWriteReactor<v1::JudgingEvent> {
 public:
  explicit Refusal(const grpc::Status& status) { Finish(status); }

 private:
  void OnDone() override { delete this; }
};

}  // namespace

JudgingService::JudgingService(std::shared_ptr<JudgingDoors> doors, std::unique_ptr<Loop> loop,
                               Deadlines& deadlines, std::string auth_token, Bytes buffered)
    : doors_(std::move(doors)),
      auth_token_(std::move(auth_token)),
      bounds_{.budget = Budget(buffered), .deadlines = deadlines},
      loop_(std::move(loop)) {}

Result<service::Judgings::Taken> JudgingService::take(const v1::SubmitRequest& request,
                                                      Budget::Share& share) {
  service::Supply supply(doors_->contents, growing(share, request.ByteSizeLong()));
  service::JudgeOrder order = TRY(to_order(request, supply));
  order.size = {request.ByteSizeLong() + supply.sources().count};
  TRY_STATUS(complete(order, *doors_, {.webhook = "webhook", .problem_id = "problem_id"}));
  order.waits = request.wait();
  return doors_->judgings.submit(std::move(order));
}

grpc::ServerUnaryReactor* JudgingService::Submit(Context* context, const v1::SubmitRequest* request,
                                                 v1::JudgingState* response) {
  if (auto status = authorize(*context, auth_token_); !status.ok())
    return refused(*context, status);
  auto share = bounds_.budget.take({request->ByteSizeLong()});
  if (!share) return refused(*context, {grpc::StatusCode::RESOURCE_EXHAUSTED, kOverBudget});
  auto taken = take(*request, *share);
  if (!taken) return refused(*context, judging_status(taken.error()));
  if (!request->wait()) {
    *response = to_state(*taken->judging);
    return told(bounds_, *context, *response, *std::move(share));
  }
  auto* call = new WaitCall({.judgings = doors_->judgings,
                             .loop = *loop_,
                             .judging = std::move(taken->judging),
                             .is_ours = request->submission_id().empty(),
                             .answer = *response,
                             .share = *std::move(share)},
                            bounds_, *context);
  call->start();
  return call;
}

grpc::ServerUnaryReactor* JudgingService::Get(Context* context, const v1::SubmissionRef* request,
                                              v1::JudgingState* response) {
  if (auto status = authorize(*context, auth_token_); !status.ok())
    return refused(*context, status);
  const auto judging = doors_->judgings.find(request->submission_id());
  if (!judging) return refused(*context, judging_status(judging.error()));
  *response = to_state(**judging);
  return told(bounds_, *context, *response);
}

grpc::ServerUnaryReactor* JudgingService::Cancel(Context* context, const v1::SubmissionRef* request,
                                                 google::protobuf::Empty* response) {
  auto status = authorize(*context, auth_token_);
  if (status.ok()) status = status_of(doors_->judgings.remove(request->submission_id()));
  return status.ok() ? told(bounds_, *context, *response) : refused(*context, status);
}

grpc::ServerWriteReactor<v1::JudgingEvent>* JudgingService::Watch(Context* context,
                                                                  const v1::WatchRequest* request) {
  if (auto status = authorize(*context, auth_token_); !status.ok()) return new Refusal(status);
  auto judging = doors_->judgings.find(request->submission_id());
  if (!judging) return new Refusal(judging_status(judging.error()));
  auto* call = new WatchCall(*loop_, *std::move(judging), request->after(), bounds_, *context);
  call->start();
  return call;
}

grpc::ServerUnaryReactor* JudgingService::ListLanguages(Context* context,
                                                        const google::protobuf::Empty*,
                                                        v1::LanguageList* response) {
  if (auto status = authorize(*context, auth_token_); !status.ok())
    return refused(*context, status);
  if (doors_->languages) *response = to_languages(doors_->languages());
  return told(bounds_, *context, *response);
}

Status JudgingService::put(const v1::PutProblemRequest& request, v1::PutProblemReply& reply,
                           Budget::Share& share) {
  service::Supply supply(doors_->contents, growing(share, request.ByteSizeLong()));
  judge::Problem problem = TRY(to_problem(request.problem(), "problem", supply));
  if (doors_->check_problem) TRY_STATUS(doors_->check_problem(problem));
  return keep(request.problem_id(), std::move(problem), digest_of(request.problem()), reply);
}

Status JudgingService::keep(const std::string& id, judge::Problem problem, std::string digest,
                            v1::PutProblemReply& reply) {
  reply.set_is_new(TRY(doors_->problems.put(id, std::move(problem), std::move(digest))));
  *reply.mutable_problem() = to_info(TRY(doors_->problems.find(id)).info);
  return {};
}

Status JudgingService::load_package(const v1::PutProblemRequest& request,
                                    v1::PutProblemReply& reply, ToldCall& call) {
  if (request.has_problem()) return invalid("package: there is a problem beside it");
  if (!doors_->load_package) return invalid("package: this server takes none");
  TRY_STATUS(service::Problems::check_id(request.problem_id()));
  service::Supply supply(doors_->contents);
  judge::Content archive = TRY(to_content(request.package(), "package", supply));
  if (TRY(judge::size_of(archive)) > service::kLargestPackage)
    return invalid("package: at most " + format_bytes(service::kLargestPackage));
  std::string digest = archive.file ? TRY(store::digest_of_file(archive.file->get()))
                                    : store::digest_of(archive.text);
  doors_->load_package(std::move(archive), [this, &call, &reply, id = request.problem_id(),
                                            digest = std::move(digest)](auto problem) {
    if (!problem) return call.tell(judging_status(problem.error()), reply);
    call.tell(status_of(keep(id, *std::move(problem), digest, reply)), reply);
  });
  return {};
}

grpc::ServerUnaryReactor* JudgingService::PutProblem(Context* context,
                                                     const v1::PutProblemRequest* request,
                                                     v1::PutProblemReply* response) {
  if (auto status = authorize(*context, auth_token_); !status.ok())
    return refused(*context, status);
  auto share = bounds_.budget.take({request->ByteSizeLong()});
  if (!share) return refused(*context, {grpc::StatusCode::RESOURCE_EXHAUSTED, kOverBudget});
  auto* call = new ToldCall(bounds_, *context, *std::move(share));
  if (!request->has_package())
    call->tell(status_of(put(*request, *response, call->request())), *response);
  else if (const Status begun = load_package(*request, *response, *call); !begun)
    call->tell(judging_status(begun.error()), *response);
  return call;
}

grpc::ServerUnaryReactor* JudgingService::GetProblem(Context* context,
                                                     const v1::ProblemRef* request,
                                                     v1::ProblemInfo* response) {
  if (auto status = authorize(*context, auth_token_); !status.ok())
    return refused(*context, status);
  const auto found = doors_->problems.find(request->problem_id());
  if (!found) return refused(*context, judging_status(found.error()));
  *response = to_info(found->info);
  return told(bounds_, *context, *response);
}

grpc::ServerUnaryReactor* JudgingService::DeleteProblem(Context* context,
                                                        const v1::ProblemRef* request,
                                                        google::protobuf::Empty* response) {
  auto status = authorize(*context, auth_token_);
  if (status.ok()) status = status_of(doors_->problems.remove(request->problem_id()));
  return status.ok() ? told(bounds_, *context, *response) : refused(*context, status);
}

grpc::ServerUnaryReactor* JudgingService::ListProblems(Context* context,
                                                       const google::protobuf::Empty*,
                                                       v1::ProblemList* response) {
  if (auto status = authorize(*context, auth_token_); !status.ok())
    return refused(*context, status);
  for (const service::ProblemInfo& problem : doors_->problems.list())
    *response->add_problems() = to_info(problem);
  return told(bounds_, *context, *response);
}

}  // namespace assay::transport::module
