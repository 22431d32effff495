// A problem as a client puts it.
#include "store/digest.h"
#include "transport/grpc_module/judging_parts.h"
#include "wire/decode_parts.h"

namespace assay::transport::module {
namespace {

constexpr double kHighestScore = 1e12;

Result<judge::ProblemTest> to_test(const v1::Test& message, const std::string& place,
                                   service::Supply& supply) {
  judge::ProblemTest test;
  test.id = TRY(to_name(message.test_id(), place + ".test_id"));
  test.input = TRY(to_content(message.input(), place + ".input", supply));
  test.subtask = TRY(to_name(message.subtask_id(), place + ".subtask_id"));
  test.limits = TRY(to_limits(message.limits(), place + ".limits"));
  if (message.has_answer())
    test.answer = TRY(to_content(message.answer(), place + ".answer", supply));
  if (message.has_score())
    test.score = TRY(to_real(message.score(), 0, kHighestScore, place + ".score"));
  return test;
}

Result<judge::SubtaskRule> to_rule(v1::Subtask::Rule rule, const std::string& place) {
  switch (rule) {
    case v1::Subtask::RULE_ALL:
      return judge::SubtaskRule::All;
    case v1::Subtask::RULE_SUM:
      return judge::SubtaskRule::Sum;
    case v1::Subtask::RULE_MIN:
      return judge::SubtaskRule::Min;
    case v1::Subtask::RULE_SCRIPT:
      return judge::SubtaskRule::Script;
    default:
      return unknown_value(rule, place);
  }
}

Result<judge::Subtask> to_subtask(const v1::Subtask& message, const std::string& place) {
  judge::Subtask subtask;
  subtask.id = TRY(to_name(message.id(), place + ".id"));
  subtask.score = TRY(to_real(message.score(), 0, kHighestScore, place + ".score"));
  subtask.rule = TRY(to_rule(message.rule(), place + ".rule"));
  subtask.depends_on = TRY(to_names(message.depends_on(), wire::kMostTests, place + ".depends_on"));
  return subtask;
}

Status fill_lists(const v1::Problem& message, const std::string& place, service::Supply& supply,
                  judge::Problem& problem) {
  TRY_STATUS(check_size(message.tests_size(), wire::kMostTests, place + ".tests"));
  TRY_STATUS(check_size(message.subtasks_size(), wire::kMostTests, place + ".subtasks"));
  for (int i = 0; i < message.tests_size(); ++i) {
    problem.tests.push_back(TRY(to_test(message.tests(i), item(place + ".tests", i), supply)));
    if (problem.tests.back().id.empty()) problem.tests.back().id = std::to_string(i + 1);
  }
  for (int i = 0; i < message.subtasks_size(); ++i)
    problem.subtasks.push_back(TRY(to_subtask(message.subtasks(i), item(place + ".subtasks", i))));
  return {};
}

}  // namespace

Result<judge::Problem> to_problem(const v1::Problem& message, const std::string& place,
                                  service::Supply& supply) {
  judge::Problem problem;
  problem.input_file = TRY(to_name(message.input_file_name(), place + ".input_file_name"));
  problem.output_file = TRY(to_name(message.output_file_name(), place + ".output_file_name"));
  problem.limits = TRY(to_limits(message.limits(), place + ".limits"));
  problem.checker = TRY(to_checker(message, place + ".checker", supply));
  problem.has_own_checker = message.has_checker();
  problem.checks_by_policy = !message.has_checker() || (message.checker().name().empty() &&
                                                        message.checker().protocol().empty());
  problem.granted_flags =
      TRY(to_names(message.granted_flags(), wire::kMostWords, place + ".granted_flags"));
  problem.interactor = TRY(to_interactor(message, place + ".interactor", supply));
  TRY_STATUS(fill_manager(message, place, supply, problem));
  problem.stop = TRY(to_stop(message.stop(), place + ".stop"));
  problem.scorer = TRY(to_scorer(message, place + ".scorer", supply));
  TRY_STATUS(fill_building(message, place, supply, problem));
  if (!v1::Problem::IoMode_IsValid(message.io_mode()))
    return unknown_value(message.io_mode(), place + ".io_mode");
  if (message.io_mode() == v1::Problem::IO_MODE_FILEIO) problem.io_mode = judge::IoMode::FileIo;
  TRY_STATUS(fill_lists(message, place, supply, problem));
  if (const Status checked = judge::check_problem(problem); !checked)
    return invalid(place + ": " + describe(checked.error()));
  return problem;
}

std::string digest_of(const v1::Problem& message) {
  return store::digest_of(message.SerializeAsString());
}

}  // namespace assay::transport::module
