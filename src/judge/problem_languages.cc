#include "judge/problem_languages.h"

#include <fmt/format.h>

namespace assay::judge {
namespace {

Status check(const LanguageSet& languages, const std::string& name, std::string_view whose) {
  const auto found = languages.find(name);
  if (found) return {};
  return invalid(fmt::format("the {}: {}", whose, found.error().context));
}

}  // namespace

Status check_languages(const Problem& problem, const LanguageSet& languages) {
  if (const auto* program = std::get_if<CheckerProgram>(&problem.checker))
    TRY_STATUS(check(languages, program->source.language, "checker"));
  if (problem.interactor)
    TRY_STATUS(check(languages, problem.interactor->source.language, "interactor"));
  if (problem.manager) TRY_STATUS(check(languages, problem.manager->source.language, "manager"));
  if (problem.scorer) TRY_STATUS(check(languages, problem.scorer->source.language, "scorer"));
  for (const Grader& grader : problem.graders)
    TRY_STATUS(check(languages, grader.language, "grader"));
  return {};
}

}  // namespace assay::judge
