// Problems that are kept: what their routes do.
#include "transport/exchange.h"
#include "transport/failure.h"
#include "transport/judging_doors.h"
#include "transport/package_wait.h"
#include "transport/problem_body.h"
#include "wire/judging.h"

namespace assay::transport {

Result<judge::Problem> Exchange::decode_problem(ProblemBody& body) const {
  const JudgingDoors& doors = *context_.options.judging;
  service::Supply supply(doors.contents,
                         [&](std::uint64_t sources) { return body.cover(sources); });
  judge::Problem problem = TRY(wire::decode_problem(body.text(), supply));
  if (doors.check_problem) TRY_STATUS(doors.check_problem(problem));
  return problem;
}

Task<Result<judge::Problem>> Exchange::load_package(ProblemBody& body) {
  const JudgingDoors& doors = *context_.options.judging;
  if (!doors.load_package) co_return invalid("this server takes problems as JSON only");
  judge::Content archive{.file = std::make_shared<const os::OwnedFd>(body.take_archive())};
  co_return co_await PackageWait(context_.io, doors.load_package, std::move(archive));
}

Task<Answer> Exchange::put_problem() {
  if (const Status id = service::Problems::check_id(matched_.parameter); !id)
    co_return failure_answer(id.error());
  ProblemBody body(context_.service.store(), context_.budget, parser_.head().field("Content-Type"));
  parser_.body_to([&](std::string_view bytes) { return body.put(bytes); });
  const int trouble = co_await read_body();
  if (!body.trouble()) {
    Answer refusal = failure_answer(body.trouble().error());
    if (body.is_too_large()) refusal.status = 413;
    refusal.close = true;  // the rest was not read
    co_return refusal;
  }
  if (trouble != kFine) co_return answer_to_trouble(trouble);
  if (const Status whole = body.finish(); !whole) co_return failure_answer(whole.error());
  Result<judge::Problem> problem;
  if (body.is_archive())
    problem = co_await load_package(body);
  else
    problem = decode_problem(body);
  if (!problem) co_return failure_answer(problem.error());
  service::Problems& problems = context_.options.judging->problems;
  const auto is_new = problems.put(matched_.parameter, *std::move(problem), body.digest());
  if (!is_new) co_return failure_answer(is_new.error());
  Answer answer = get_problem();
  if (answer.status == 200 && *is_new) answer.status = 201;
  co_return answer;
}

Answer Exchange::get_problem() {
  auto found = context_.options.judging->problems.find(matched_.parameter);
  if (!found) return failure_answer(found.error());
  return json_answer(200, wire::encode_problem(found->info));
}

Answer Exchange::delete_problem() {
  const Status removed = context_.options.judging->problems.remove(matched_.parameter);
  return removed ? empty_answer(204) : failure_answer(removed.error());
}

}  // namespace assay::transport
