#include "judge/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "judge/subtask_order.h"

namespace assay::judge {
namespace {

constexpr double kMostScore = 1e9;
constexpr std::array<std::string_view, 3> kStopRules{"none", "first", "group"};
constexpr std::array<std::string_view, 6> kKinds{"batch",     "outputOnly",    "interactive",
                                                 "multipass", "communication", "twostep"};
constexpr std::array<std::string_view, 4> kBuildStrategies{"compile", "makeNormal",
                                                           "makeFunctionOnly", "makeInteractive"};

template <typename Enum, std::size_t N>
std::optional<Enum> named(const std::array<std::string_view, N>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

Status check_id(std::string_view id, std::string_view of) {
  const bool printable = std::ranges::all_of(
      id, [](char c) { return static_cast<unsigned char>(c) > ' ' && c != 0x7f; });
  if (!id.empty() && id.size() <= kLongestId && printable) return {};
  return invalid(fmt::format("a {} has an id that is empty, too long or has blanks in it", of));
}

Status check_score(double score, const std::string& of) {
  if (std::isfinite(score) && score >= 0 && score <= kMostScore) return {};
  return invalid(fmt::format("the score of {} must be between 0 and {:.0f}", of, kMostScore));
}

Status check_subtasks(const Problem& problem) {
  if (problem.subtasks.size() > kMostSubtasks)
    return invalid(fmt::format("the problem has more than {} subtasks", kMostSubtasks));
  std::set<std::string_view> with_tests;
  for (const ProblemTest& test : problem.tests)
    with_tests.insert(test.subtask);
  std::set<std::string_view> all;
  std::size_t dependencies = 0;
  for (const Subtask& subtask : problem.subtasks) {
    TRY_STATUS(check_id(subtask.id, "subtask"));
    TRY_STATUS(check_score(subtask.score, fmt::format("subtask '{}'", subtask.id)));
    if (subtask.rule == SubtaskRule::Script && !problem.scorer)
      return invalid(fmt::format("subtask '{}' is for a scorer, and there is none", subtask.id));
    if (!all.insert(subtask.id).second)
      return invalid(fmt::format("there are two subtasks '{}'", subtask.id));
    if (!with_tests.contains(subtask.id))
      return invalid(fmt::format("subtask '{}' has no tests", subtask.id));
    dependencies += subtask.depends_on.size();
  }
  if (dependencies > kMostDependencies)
    return invalid(fmt::format("the subtasks have more than {} dependencies", kMostDependencies));
  for (const ProblemTest& test : problem.tests)
    if (!test.subtask.empty() && !all.contains(test.subtask))
      return invalid(fmt::format("test '{}' belongs to subtask '{}', which does not exist", test.id,
                                 test.subtask));
  (void)TRY(order_subtasks(problem.subtasks));
  return {};
}

Status check_tests(const Problem& problem) {
  if (problem.tests.empty()) return invalid("the problem has no tests");
  if (problem.tests.size() > kMostTests)
    return invalid(fmt::format("the problem has more than {} tests", kMostTests));
  std::set<std::string_view> ids;
  for (const ProblemTest& test : problem.tests) {
    TRY_STATUS(check_id(test.id, "test"));
    if (test.score) TRY_STATUS(check_score(*test.score, fmt::format("test '{}'", test.id)));
    if (!ids.insert(test.id).second)
      return invalid(fmt::format("there are two tests '{}'", test.id));
  }
  return {};
}

bool is_plain_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name[0] != '-' && name.size() < 256 &&
         std::ranges::all_of(
             name, [](char c) { return static_cast<unsigned char>(c) > ' ' && c != '/'; });
}

Status check_files(const Problem& problem) {
  if (problem.io_mode == IoMode::Stdio) return {};
  if (!is_plain_name(problem.input_file) || !is_plain_name(problem.output_file))
    return invalid("fileio needs an inputFileName and an outputFileName without directories");
  if (problem.input_file == problem.output_file)
    return invalid("inputFileName and outputFileName must not be the same");
  return {};
}

Status check_grader(const Grader& grader) {
  if (grader.files.empty())
    return invalid(fmt::format("the grader for '{}' has no files", grader.language));
  if (!is_plain_name(grader.submission))
    return invalid(fmt::format("the grader for '{}' does not say what the submission is called",
                               grader.language));
  if (std::ranges::find(grader.files, grader.submission, &SourceFile::name) != grader.files.end())
    return invalid(fmt::format("the grader for '{}' has a file of its own called '{}'",
                               grader.language, grader.submission));
  return {};
}

Status check_build(const Problem& problem) {
  const bool has_project = problem.build_archive || !problem.build_files.empty();
  const bool plain = problem.build == BuildStrategy::Compile;
  if (problem.kind == ProblemKind::OutputOnly &&
      (!plain || has_project || !problem.graders.empty() || problem.io_mode != IoMode::Stdio))
    return invalid("an outputOnly problem builds nothing and has no ioMode");
  if (problem.build_archive && !problem.build_files.empty())
    return invalid("buildFiles and buildArchive are two ways to say the same");
  if (has_project != (problem.build == BuildStrategy::MakeFunctionOnly))
    return invalid(has_project ? "buildFiles and buildArchive are for makeFunctionOnly alone"
                               : "makeFunctionOnly needs buildFiles or a buildArchive");
  if ((!plain || !problem.beside.empty()) && !problem.graders.empty())
    return invalid("a grader is compiled by its language: it needs the buildStrategy compile");
  std::set<std::string_view> languages;
  for (const Grader& grader : problem.graders) {
    TRY_STATUS(check_grader(grader));
    if (!languages.insert(grader.language).second)
      return invalid(fmt::format("there are two graders for '{}'", grader.language));
  }
  return {};
}

Status check_interactor(const Problem& problem) {
  const bool interactive = problem.kind == ProblemKind::Interactive;
  if (interactive != problem.interactor.has_value())
    return invalid(interactive ? "an interactive problem needs an interactor"
                               : "an interactor is for interactive problems alone");
  if (!interactive) return {};
  const Interactor& interactor = *problem.interactor;
  if (interactor.source.sources.empty()) return invalid("the interactor has no source");
  if (interactor.protocol != Protocol::Testlib && interactor.protocol != Protocol::Icpc &&
      interactor.protocol != Protocol::Noj)
    return invalid(fmt::format("an interactor talks as testlib, icpc or noj, and not as {}",
                               name_of(interactor.protocol)));
  if (problem.has_own_checker && interactor.protocol != Protocol::Testlib)
    return invalid("only a testlib interactor writes an output that a checker can judge");
  if (problem.io_mode != IoMode::Stdio)
    return invalid("an interactive problem talks on stdin and stdout: it has no ioMode fileio");
  return {};
}

Status check_passes(const Problem& problem) {
  constexpr unsigned kMostPasses = 100;
  if (problem.kind != ProblemKind::MultiPass)
    return problem.passes == Problem{}.passes ? Status{}
                                              : invalid("passes are for multipass problems alone");
  if (problem.passes < 2 || problem.passes > kMostPasses)
    return invalid(fmt::format("passes must be from 2 to {}", kMostPasses));
  const auto* validator = std::get_if<CheckerProgram>(&problem.checker);
  if (validator == nullptr || validator->protocol != Protocol::Icpc)
    return invalid(
        "a multipass problem needs a checker with the protocol icpc: it says what follows");
  return {};
}

}  // namespace

std::optional<StopRule> stop_rule_named(std::string_view name) {
  return named<StopRule>(kStopRules, name);
}

std::optional<ProblemKind> problem_kind_named(std::string_view name) {
  return named<ProblemKind>(kKinds, name);
}

std::optional<BuildStrategy> build_strategy_named(std::string_view name) {
  if (name.size() == 1 && name[0] >= '0' &&
      name[0] < '0' + static_cast<int>(kBuildStrategies.size()))
    return static_cast<BuildStrategy>(name[0] - '0');
  return named<BuildStrategy>(kBuildStrategies, name);
}

const std::string& run_profile(const Problem& problem, const std::string& usual) {
  // A teacher's student is that of Normal-OJ, whichever way the problem came.
  static const ProfileMap kOfStudents{{"native", "noj-native"}, {"python", "noj-python"}};
  const bool taught = problem.interactor && problem.interactor->protocol == Protocol::Noj;
  const ProfileMap& profiles =
      taught && problem.run_profiles.empty() ? kOfStudents : problem.run_profiles;
  const auto found = profiles.find(usual);
  return found == profiles.end() ? usual : found->second;
}

Status check_problem(const Problem& problem) {
  TRY_STATUS(check_words(problem));
  TRY_STATUS(check_build(problem));
  TRY_STATUS(check_interactor(problem));
  TRY_STATUS(check_manager(problem));
  TRY_STATUS(check_passes(problem));
  TRY_STATUS(check_files(problem));
  TRY_STATUS(check_tests(problem));
  TRY_STATUS(check_subtasks(problem));
  const auto* program = std::get_if<CheckerProgram>(&problem.checker);
  if (program != nullptr && program->source.sources.empty())
    return invalid("the checker has no source");
  if (problem.scorer && problem.scorer->source.sources.empty())
    return invalid("the scorer has no source");
  return {};
}

}  // namespace assay::judge
