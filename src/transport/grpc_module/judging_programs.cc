// The programs of a problem's author, and how submissions are built with them.
#include "judge/compare_names.h"
#include "transport/grpc_module/judging_parts.h"
#include "wire/decode_parts.h"

namespace assay::transport::module {
namespace {

Result<judge::Checker> to_comparison(const v1::Checker& message, const std::string& place) {
  const auto arguments = TRY(to_names(message.args(), wire::kMostWords, place + ".args"));
  auto comparison = judge::comparison_named(message.name(), arguments);
  if (!comparison) return invalid(place + ": " + describe(comparison.error()));
  return *std::move(comparison);
}

Result<judge::Checker> to_program(const v1::Checker& message, const std::string& place,
                                  service::Supply& supply) {
  if (message.language().empty()) return invalid(place + ".language: a source needs its language");
  const auto protocol =
      judge::protocol_named(message.protocol().empty() ? "testlib" : message.protocol());
  if (!protocol)
    return invalid(place +
                   ".protocol: expected one of testlib, icpc, exitcode, cms, lines and boca");
  judge::CheckerProgram program{.protocol = *protocol};
  program.source.language = TRY(to_name(message.language(), place + ".language"));
  program.source.sources = TRY(to_sources(message.sources(), place + ".sources", supply));
  program.arguments = TRY(to_names(message.args(), wire::kMostWords, place + ".args"));
  program.limits = TRY(to_limits(message.limits(), place + ".limits"));
  return program;
}

Result<judge::Grader> to_grader(const v1::Grader& message, const std::string& place,
                                service::Supply& supply) {
  judge::Grader grader;
  grader.language = TRY(to_name(message.language(), place + ".language"));
  grader.files = TRY(to_sources(message.files(), place + ".files", supply));
  grader.submission = TRY(to_name(message.submission(), place + ".submission"));
  return grader;
}

Result<judge::BuildStrategy> to_strategy(v1::Problem::BuildStrategy strategy,
                                         const std::string& place) {
  switch (strategy) {
    case v1::Problem::BUILD_STRATEGY_COMPILE:
      return judge::BuildStrategy::Compile;
    case v1::Problem::BUILD_STRATEGY_MAKE_NORMAL:
      return judge::BuildStrategy::MakeNormal;
    case v1::Problem::BUILD_STRATEGY_MAKE_FUNCTION_ONLY:
      return judge::BuildStrategy::MakeFunctionOnly;
    default:
      return unknown_value(strategy, place);
  }
}

Result<judge::ProblemKind> to_kind(v1::Problem::Type type, const std::string& place) {
  switch (type) {
    case v1::Problem::TYPE_BATCH:
      return judge::ProblemKind::Batch;
    case v1::Problem::TYPE_OUTPUT_ONLY:
      return judge::ProblemKind::OutputOnly;
    case v1::Problem::TYPE_INTERACTIVE:
      return judge::ProblemKind::Interactive;
    case v1::Problem::TYPE_MULTIPASS:
      return judge::ProblemKind::MultiPass;
    case v1::Problem::TYPE_COMMUNICATION:
      return judge::ProblemKind::Communication;
    case v1::Problem::TYPE_TWO_STEP:
      return judge::ProblemKind::TwoStep;
    default:
      return unknown_value(type, place);
  }
}

Result<judge::Manager> to_manager(const v1::Manager& from, const std::string& place,
                                  service::Supply& supply) {
  if (from.language().empty() || from.sources().empty())
    return invalid(place + ": a manager needs a language and a source");
  judge::Manager manager;
  if (!from.protocol().empty()) {
    manager.protocol = judge::protocol_named(from.protocol());
    if (!manager.protocol) return invalid(place + ".protocol: expected one of cms and testlib");
  }
  manager.source.language = TRY(to_name(from.language(), place + ".language"));
  manager.source.sources = TRY(to_sources(from.sources(), place + ".sources", supply));
  manager.arguments = TRY(to_names(from.args(), wire::kMostWords, place + ".args"));
  manager.limits = TRY(to_limits(from.limits(), place + ".limits"));
  return manager;
}

}  // namespace

Result<judge::Checker> to_checker(const v1::Problem& message, const std::string& place,
                                  service::Supply& supply) {
  if (!message.has_checker()) return TRY(judge::comparison_named("tokens"));
  const v1::Checker& checker = message.checker();
  if (checker.name().empty() != !checker.sources().empty())
    return invalid(place + ": expected either a name or sources");
  return checker.sources().empty() ? to_comparison(checker, place)
                                   : to_program(checker, place, supply);
}

Result<std::optional<judge::Interactor>> to_interactor(const v1::Problem& message,
                                                       const std::string& place,
                                                       service::Supply& supply) {
  if (!message.has_interactor()) return std::nullopt;
  const v1::Interactor& from = message.interactor();
  if (from.language().empty() || from.sources().empty())
    return invalid(place + ": an interactor needs a language and a source");
  const auto protocol =
      judge::protocol_named(from.protocol().empty() ? "testlib" : from.protocol());
  if (!protocol) return invalid(place + ".protocol: expected one of testlib, icpc and noj");
  judge::Interactor interactor{.protocol = *protocol};
  interactor.source.language = TRY(to_name(from.language(), place + ".language"));
  interactor.source.sources = TRY(to_sources(from.sources(), place + ".sources", supply));
  interactor.arguments = TRY(to_names(from.args(), wire::kMostWords, place + ".args"));
  interactor.limits = TRY(to_limits(from.limits(), place + ".limits"));
  return interactor;
}

Status fill_manager(const v1::Problem& message, const std::string& place, service::Supply& supply,
                    judge::Problem& problem) {
  if (!v1::Problem::ProcessIo_IsValid(message.io()))
    return unknown_value(message.io(), place + ".io");
  if (message.io() == v1::Problem::PROCESS_IO_FIFO) problem.process_io = judge::ProcessIo::Fifo;
  if (message.io() == v1::Problem::PROCESS_IO_TERMINAL)
    problem.process_io = judge::ProcessIo::Terminal;
  if (message.has_processes()) problem.processes = message.processes();
  if (message.has_manager())
    problem.manager = TRY(to_manager(message.manager(), place + ".manager", supply));
  return {};
}

Result<std::optional<judge::ScorerProgram>> to_scorer(const v1::Problem& message,
                                                      const std::string& place,
                                                      service::Supply& supply) {
  if (!message.has_scorer()) return std::nullopt;
  const v1::Scorer& scorer = message.scorer();
  if (scorer.language().empty() || !scorer.has_source())
    return invalid(place + ": a scorer needs a language and a source");
  judge::ScorerProgram program;
  program.source.language = TRY(to_name(scorer.language(), place + ".language"));
  program.source.sources.emplace_back().content =
      TRY(to_source_text(scorer.source(), place + ".source", supply));
  program.limits = TRY(to_limits(scorer.limits(), place + ".limits"));
  return program;
}

Status fill_building(const v1::Problem& message, const std::string& place, service::Supply& supply,
                     judge::Problem& problem) {
  problem.kind = TRY(to_kind(message.type(), place + ".type"));
  if (message.has_passes()) problem.passes = message.passes();
  problem.build = TRY(to_strategy(message.build_strategy(), place + ".build_strategy"));
  problem.build_files = TRY(to_sources(message.build_files(), place + ".build_files", supply));
  if (message.has_build_archive())
    problem.build_archive =
        TRY(to_archive(message.build_archive(), place + ".build_archive", supply));
  TRY_STATUS(check_size(message.graders_size(), wire::kMostSources, place + ".graders"));
  for (int i = 0; i < message.graders_size(); ++i)
    problem.graders.push_back(
        TRY(to_grader(message.graders(i), item(place + ".graders", i), supply)));
  return {};
}

}  // namespace assay::transport::module
