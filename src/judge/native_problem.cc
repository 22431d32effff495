#include "judge/native_problem.h"

#include <fmt/format.h>

#include <cerrno>

#include "judge/compare_names.h"
#include "judge/native_fields.h"
#include "judge/native_files.h"

namespace assay::judge {
namespace {

constexpr Bytes kLargestDescription = 4_MiB;
constexpr Bytes kLargestSource = 4_MiB;
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

// Who talks with the submission may know the answer from the input.
bool may_lack_answers(ProblemKind kind) {
  return kind == ProblemKind::Interactive || kind == ProblemKind::Communication;
}

Result<ProblemTest> test_of(const ProblemDirectory& directory, const WrittenTest& written,
                            ProblemKind kind) {
  auto input = directory.file(written.input);
  if (!input) return sandbox::wrong(written.position, describe(input.error()));
  auto answer = directory.file(written.answer);
  if (!answer && answer.error().code == ENOENT && may_lack_answers(kind)) answer = Content{};
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

Status add_tests(const ProblemDirectory& directory, const WrittenTest& written, ProblemKind kind,
                 std::vector<ProblemTest>& into) {
  if (written.pattern.empty()) {
    into.push_back(TRY(test_of(directory, written, kind)));
    return {};
  }
  const auto found = directory.matching(written.pattern);
  if (!found) return sandbox::wrong(written.position, describe(found.error()));
  if (found->empty())
    return sandbox::wrong(written.position, fmt::format("no test fits '{}'", written.pattern));
  for (const std::string& input : *found) {
    WrittenTest one = written;
    one.id = stem_of(input);
    one.input = input;
    one.answer = beside(input, ".ans");
    into.push_back(TRY(test_of(directory, one, kind)));
  }
  return {};
}

Result<CheckerProgram> program_of(const ProblemDirectory& directory, const WrittenChecker& written,
                                  const LanguageSet& languages) {
  const auto protocol = protocol_named(written.protocol.empty() ? "testlib" : written.protocol);
  if (!protocol)
    return sandbox::wrong(written.position,
                          fmt::format("there is no protocol '{}'", written.protocol));
  auto text = directory.text(written.source, kLargestSource);
  if (!text) return sandbox::wrong(written.position, describe(text.error()));
  const Language* language = languages.for_file(written.source);
  if (!written.language.empty()) {
    const auto named = languages.find(written.language);
    if (!named) return sandbox::wrong(written.position, describe(named.error()));
    language = *named;
  }
  if (language == nullptr)
    return sandbox::wrong(written.position,
                          fmt::format("which language is '{}'? Say 'language'", written.source));
  return CheckerProgram{
      .source = {.language = language->id, .sources = {{written.source, *std::move(text)}}},
      .protocol = *protocol,
      .arguments = written.arguments,
      .limits = written.limits};
}

Result<Checker> checker_of(const ProblemDirectory& directory, const WrittenProblem& written,
                           const LanguageSet& languages) {
  if (!written.checker) return Checker{TRY(comparison_named("tokens"))};
  const WrittenChecker& checker = *written.checker;
  if (!checker.source.empty()) return Checker{TRY(program_of(directory, checker, languages))};
  const auto comparison = comparison_named(checker.name, checker.arguments);
  if (!comparison) return sandbox::wrong(checker.position, describe(comparison.error()));
  return Checker{*comparison};
}

std::string last_part(const std::string& path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

Result<std::vector<SourceFile>> files_of(const ProblemDirectory& directory,
                                         const std::vector<std::string>& paths) {
  std::vector<SourceFile> files;
  for (const std::string& path : paths)
    files.push_back({last_part(path), TRY(directory.text(path, kLargestSource))});
  return files;
}

Result<Grader> grader_of(const ProblemDirectory& directory, const WrittenGrader& written,
                         const LanguageSet& languages) {
  const auto language = languages.find(written.language);
  if (!language) return sandbox::wrong(written.position, describe(language.error()));
  auto files = files_of(directory, written.files);
  if (!files) return sandbox::wrong(written.position, describe(files.error()));
  return Grader{
      .language = (*language)->id, .files = *std::move(files), .submission = written.submission};
}

Status add_build(const ProblemDirectory& directory, const WrittenProblem& written,
                 const LanguageSet& languages, Problem& into) {
  into.kind = written.kind;
  into.passes = written.passes;
  into.build = written.build;
  into.build_files = TRY(files_of(directory, written.build_files));
  if (!written.build_archive.empty())
    into.build_archive = TRY(directory.file(written.build_archive));
  for (const WrittenGrader& grader : written.graders)
    into.graders.push_back(TRY(grader_of(directory, grader, languages)));
  return {};
}

Status add_manager(const ProblemDirectory& directory, const WrittenProblem& written,
                   const LanguageSet& languages, Problem& into) {
  into.processes = written.processes;
  into.process_io = written.process_io;
  if (!written.manager) return {};
  CheckerProgram program = TRY(program_of(directory, *written.manager, languages));
  into.manager = Manager{.source = std::move(program.source),
                         .arguments = std::move(program.arguments),
                         .limits = program.limits};
  if (!written.manager->protocol.empty()) into.manager->protocol = program.protocol;
  return {};
}

}  // namespace

Result<Problem> load_problem(const std::string& directory, const LanguageSet& languages) {
  const ProblemDirectory files = TRY(ProblemDirectory::open(directory));
  const std::string text = TRY(files.text("problem.toml", kLargestDescription));
  const std::string name = directory + "/problem.toml";
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
                  .subtasks = written.subtasks,
                  .stop = written.stop};
  if (written.scorer) {
    CheckerProgram program = TRY(program_of(files, *written.scorer, languages));
    problem.scorer = ScorerProgram{.source = std::move(program.source), .limits = program.limits};
  }
  if (written.interactor) {
    CheckerProgram program = TRY(program_of(files, *written.interactor, languages));
    problem.interactor = Interactor{.source = std::move(program.source),
                                    .protocol = program.protocol,
                                    .arguments = std::move(program.arguments),
                                    .limits = program.limits};
  }
  TRY_STATUS(add_manager(files, written, languages, problem));
  TRY_STATUS(add_build(files, written, languages, problem));
  for (const WrittenTest& test : written.tests)
    TRY_STATUS(add_tests(files, test, problem.kind, problem.tests));
  if (const Status checked = check_problem(problem); !checked)
    return invalid(fmt::format("{}: {}", name, checked.error().context));
  return problem;
}

}  // namespace assay::judge
