#include "judge/native_problem.h"

#include <fmt/format.h>

#include <cerrno>
#include <map>

#include "judge/compare_names.h"
#include "judge/native_fields.h"
#include "judge/native_files.h"
#include "judge/native_sources.h"

namespace assay::judge {
namespace {

constexpr Bytes kLargestDescription = 4_MiB;
constexpr const char* kUsualTests = "tests/*.in";

std::string stem_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  return name.substr(0, name.rfind('.'));
}

std::string beside(const std::string& path, std::string_view ending) {
  const std::size_t slash = path.rfind('/');
  const std::size_t dot = path.rfind('.');
  const bool has_ending = dot != std::string::npos && (slash == std::string::npos || dot > slash);
  return (has_ending ? path.substr(0, dot) : path) + std::string(ending);
}

// Who talks with the submission may know the answer from the input, as may a checker of which
// somebody says outright that it gets none.
bool may_lack_answer(const Problem& problem, const WrittenTest& written) {
  return problem.kind == ProblemKind::Interactive || problem.kind == ProblemKind::Communication ||
         (written.pattern.empty() && written.answer.empty() &&
          std::holds_alternative<CheckerProgram>(problem.checker));
}

Result<ProblemTest> test_of(const ProblemFiles& directory, const WrittenTest& written,
                            const Problem& problem) {
  auto input = directory.file(written.input);
  if (!input) return sandbox::wrong(written.position, describe(input.error()));
  auto answer =
      directory.file(written.answer.empty() ? beside(written.input, ".ans") : written.answer);
  if (!answer && answer.error().code == ENOENT && may_lack_answer(problem, written))
    answer = Content{};
  if (!answer)
    return sandbox::wrong(written.position, fmt::format("the answer of test '{}': {}", written.id,
                                                        describe(answer.error())));
  return ProblemTest{.id = written.id,
                     .input = *std::move(input),
                     .answer = *std::move(answer),
                     .score = written.score,
                     .subtask = written.subtask,
                     .limits = written.limits};
}

// Tests of two folders may have the same names: then all of that name have their folders, too.
void tell_apart(const std::vector<std::string>& paths, std::vector<ProblemTest>& tests) {
  std::map<std::string, int> times;
  for (const ProblemTest& test : tests)
    ++times[test.id];
  for (std::size_t i = 0; i < tests.size(); ++i)
    if (!paths[i].empty() && times[tests[i].id] > 1) tests[i].id = beside(paths[i], "");
}

Result<std::vector<WrittenTest>> each_of(const ProblemFiles& directory,
                                         const WrittenTest& written) {
  if (written.pattern.empty()) return std::vector{written};
  const auto found = directory.matching(written.pattern);
  if (!found) return sandbox::wrong(written.position, describe(found.error()));
  if (found->empty())
    return sandbox::wrong(written.position, fmt::format("no test fits '{}'", written.pattern));
  std::vector<WrittenTest> each(found->size(), written);
  for (std::size_t i = 0; i < each.size(); ++i) {
    each[i].id = stem_of((*found)[i]);
    each[i].input = (*found)[i];
  }
  return each;
}

constexpr std::size_t kMostPatterns = 1000;  // each is a look at every file of the package

Status add_tests(const ProblemFiles& directory, const std::vector<WrittenTest>& written,
                 Problem& into) {
  std::vector<std::string> found;  // of each test that a pattern found, its input
  std::size_t patterns = 0;
  for (const WrittenTest& some : written) {
    if (!some.pattern.empty() && ++patterns > kMostPatterns)
      return sandbox::wrong(some.position, fmt::format("more than {} patterns", kMostPatterns));
    for (WrittenTest& one : TRY(each_of(directory, some))) {
      if (into.tests.size() == kMostTests)
        return sandbox::wrong(one.position, fmt::format("more than {} tests", kMostTests));
      if (one.id.empty()) one.id = std::to_string(into.tests.size() + 1);
      into.tests.push_back(TRY(test_of(directory, one, into)));
      found.push_back(one.pattern.empty() ? "" : one.input);
    }
  }
  tell_apart(found, into.tests);
  return {};
}

Result<Checker> checker_of(const ProblemFiles& directory, const WrittenProblem& written,
                           const LanguageSet& languages) {
  if (!written.checker) return Checker{TRY(comparison_named("tokens"))};
  const WrittenChecker& checker = *written.checker;
  if (!checker.sources.empty()) return Checker{TRY(load_program(directory, checker, languages))};
  const auto comparison = comparison_named(checker.name, checker.arguments);
  if (!comparison) return sandbox::wrong(checker.position, describe(comparison.error()));
  return Checker{*comparison};
}

Result<Grader> grader_of(const ProblemFiles& directory, const WrittenGrader& written,
                         const LanguageSet& languages) {
  const auto language = languages.find(written.language);
  if (!language) return sandbox::wrong(written.position, describe(language.error()));
  auto files = load_files(directory, written.files);
  if (!files) return sandbox::wrong(written.position, describe(files.error()));
  return Grader{
      .language = (*language)->id, .files = *std::move(files), .submission = written.submission};
}

Status add_build(const ProblemFiles& directory, const WrittenProblem& written,
                 const LanguageSet& languages, Problem& into) {
  into.kind = written.kind;
  into.passes = written.passes;
  into.build = written.build;
  into.build_files = TRY(load_files(directory, written.build_files));
  if (!written.build_archive.empty())
    into.build_archive = TRY(directory.file(written.build_archive));
  for (const WrittenGrader& grader : written.graders)
    into.graders.push_back(TRY(grader_of(directory, grader, languages)));
  return {};
}

Status add_manager(const ProblemFiles& directory, const WrittenProblem& written,
                   const LanguageSet& languages, Problem& into) {
  into.processes = written.processes;
  into.process_io = written.process_io;
  if (!written.manager) return {};
  CheckerProgram program = TRY(load_program(directory, *written.manager, languages));
  into.manager = Manager{.source = std::move(program.source),
                         .arguments = std::move(program.arguments),
                         .limits = program.limits};
  if (!written.manager->protocol.empty()) into.manager->protocol = program.protocol;
  return {};
}

}  // namespace

Result<Problem> load_problem(const std::string& directory, const LanguageSet& languages) {
  return load_problem(TRY(ProblemDirectory::open(directory)), languages);
}

Result<Problem> load_problem(const ProblemFiles& files, const LanguageSet& languages) {
  const std::string text = TRY(files.text("problem.toml", kLargestDescription));
  const std::string name = files.full_name("problem.toml");
  const sandbox::Node document = TRY(sandbox::parse_document(name, text));
  WrittenProblem written = TRY(read_problem(document));
  if (written.tests.empty())
    written.tests.push_back({.pattern = kUsualTests, .position = document.position});
  Checker checker = TRY(checker_of(files, written, languages));
  Problem problem{.io_mode = written.io_mode,
                  .input_file = written.input_file,
                  .output_file = written.output_file,
                  .limits = written.limits,
                  .checker = std::move(checker),
                  .has_own_checker = written.checker.has_value(),
                  .checks_by_policy = !written.checker || (written.checker->name.empty() &&
                                                           written.checker->protocol.empty()),
                  .subtasks = written.subtasks,
                  .stop = written.stop,
                  .granted_flags = written.granted_flags};
  if (written.scorer) {
    CheckerProgram program = TRY(load_program(files, *written.scorer, languages));
    problem.scorer = ScorerProgram{.source = std::move(program.source), .limits = program.limits};
  }
  if (written.interactor) {
    CheckerProgram program = TRY(load_program(files, *written.interactor, languages));
    problem.interactor = Interactor{.source = std::move(program.source),
                                    .protocol = program.protocol,
                                    .arguments = std::move(program.arguments),
                                    .limits = program.limits};
  }
  TRY_STATUS(add_manager(files, written, languages, problem));
  TRY_STATUS(add_build(files, written, languages, problem));
  TRY_STATUS(add_tests(files, written.tests, problem));
  if (const Status checked = check_problem(problem); !checked)
    return invalid(fmt::format("{}: {}", name, checked.error().context));
  return problem;
}

}  // namespace assay::judge
