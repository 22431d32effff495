#include "judge/usual_checker.h"

#include "judge/compare_names.h"

namespace assay::judge {
namespace {

std::string_view name_of(verdict::Compare compare) {
  switch (compare) {
    case verdict::Compare::Exact:
      return "exact";
    case verdict::Compare::Lines:
      return "lines";
    case verdict::Compare::None:
    case verdict::Compare::Tokens:
      break;
  }
  return "tokens";
}

Protocol protocol_of(verdict::CheckerAnswer answer) {
  switch (answer) {
    case verdict::CheckerAnswer::ExitCode:
      return Protocol::ExitCode;
    case verdict::CheckerAnswer::StatusLines:
      return Protocol::Lines;
    case verdict::CheckerAnswer::Testlib:
      break;
  }
  return Protocol::Testlib;
}

}  // namespace

Result<Checker> checker_under(const Problem& problem, const verdict::Policy& policy) {
  Checker checker = problem.checker;
  if (!problem.checks_by_policy) return checker;
  if (auto* program = std::get_if<CheckerProgram>(&checker))
    program->protocol = protocol_of(policy.check.checker);
  else
    checker = TRY(comparison_named(name_of(policy.check.compare)));
  return checker;
}

}  // namespace assay::judge
