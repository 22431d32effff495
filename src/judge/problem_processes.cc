// What a problem with a manager may say of it.
#include <fmt/format.h>

#include "judge/problem.h"

namespace assay::judge {
namespace {

constexpr unsigned kMostProcesses = 32;

Status check_protocol(const Manager& manager, ProblemKind kind) {
  const Protocol protocol = protocol_of(manager, kind);
  if (kind == ProblemKind::TwoStep && protocol != Protocol::Testlib)
    return invalid(
        fmt::format("the manager of a twostep problem says with its exit code, as testlib, "
                    "whether to go on: it does not talk as {}",
                    name_of(protocol)));
  if (protocol == Protocol::Cms || protocol == Protocol::Testlib) return {};
  return invalid(
      fmt::format("a manager talks as cms or testlib, and not as {}", name_of(protocol)));
}

Status check_communication(const Problem& problem) {
  if (!problem.manager) return invalid("a communication problem needs a manager");
  if (problem.processes < 1 || problem.processes > kMostProcesses)
    return invalid(fmt::format("processes must be from 1 to {}", kMostProcesses));
  if (problem.io_mode != IoMode::Stdio)
    return invalid("a communication problem talks with its manager: it has no ioMode fileio");
  if (problem.has_own_checker)
    return invalid("the manager of a communication problem judges: there is no checker");
  return {};
}

Status check_process_io(const Problem& problem) {
  const bool fifo = problem.process_io == ProcessIo::Fifo;
  const bool terminal = problem.process_io == ProcessIo::Terminal;
  const bool steps = problem.kind == ProblemKind::TwoStep;
  const bool interactive = problem.kind == ProblemKind::Interactive;
  const bool talks = problem.kind == ProblemKind::Communication;
  if ((fifo || terminal) && !talks && !steps && !interactive)
    return invalid("io is for interactive, communication and twostep problems alone");
  if (fifo && interactive)
    return invalid("an interactive problem talks on stdin and stdout: its io is stdio or terminal");
  if (terminal && steps) return invalid("a twostep problem has the io stdio or fifo: nobody talks");
  if (terminal && problem.interactor && problem.interactor->protocol == Protocol::Noj)
    return invalid("Normal-OJ's programs talk through pipes: there is no io terminal");
  if (steps && fifo && problem.io_mode != IoMode::Stdio)
    return invalid("a twostep problem with the io fifo has no ioMode fileio");
  return {};
}

}  // namespace

std::optional<ProcessIo> process_io_named(std::string_view name) {
  if (name == "stdio" || name == "std_io") return ProcessIo::Stdio;
  if (name == "fifo" || name == "fifo_io") return ProcessIo::Fifo;
  if (name == "terminal") return ProcessIo::Terminal;
  return std::nullopt;
}

Protocol protocol_of(const Manager& manager, ProblemKind kind) {
  return manager.protocol.value_or(kind == ProblemKind::TwoStep ? Protocol::Testlib
                                                                : Protocol::Cms);
}

Status check_manager(const Problem& problem) {
  const bool talks = problem.kind == ProblemKind::Communication;
  const bool steps = problem.kind == ProblemKind::TwoStep;
  if (problem.manager && !talks && !steps)
    return invalid("a manager is for communication and twostep problems alone");
  TRY_STATUS(check_process_io(problem));
  if (problem.processes != 1 && !talks)
    return invalid("processes are for communication problems alone");
  if (talks) TRY_STATUS(check_communication(problem));
  if (!problem.manager) return {};
  if (problem.manager->source.sources.empty()) return invalid("the manager has no source");
  return check_protocol(*problem.manager, problem.kind);
}

}  // namespace assay::judge
