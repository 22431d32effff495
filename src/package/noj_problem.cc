#include "package/noj_problem.h"

#include <fmt/format.h>

#include "judge/compare_names.h"

namespace assay::package {
namespace {

using judge::Content;
using judge::Problem;

constexpr Bytes kLargestDescription = 4_MiB;
constexpr Bytes kLargestSource = 4_MiB;
constexpr const char* kChaos = "testcase/chaos";

// What an asset is called where meta.json names no path.
std::string path_of(const NojMeta& meta, const std::string& asset, const char* usual) {
  const auto found = meta.assets.find(asset);
  return found == meta.assets.end() ? usual : found->second;
}

Result<Content> asset(const NojMeta& meta, const AssetSource& assets, const std::string& name,
                      const char* usual) {
  auto content = assets.open(path_of(meta, name, usual));
  if (!content) return invalid(fmt::format("asset '{}': {}", name, describe(content.error())));
  return content;
}

Result<judge::Submission> program_of(const NojMeta& meta, const AssetSource& assets,
                                     const std::string& name, const char* usual,
                                     NojLanguage language) {
  const Content content = TRY(asset(meta, assets, name, usual));
  auto text = judge::whole(content, kLargestSource);
  if (!text) return invalid(fmt::format("asset '{}': {}", name, describe(text.error())));
  return judge::Submission{.language = std::string(language_id(language)),
                           .sources = {{std::string(source_name(language)), *std::move(text)}}};
}

judge::BuildStrategy build_of(const NojMeta& meta) {
  switch (meta.build) {
    case NojBuild::MakeFunctionOnly:
      return judge::BuildStrategy::MakeFunctionOnly;
    case NojBuild::MakeNormal:
    case NojBuild::MakeInteractive:
      // Whoever hands in a file and no project skips make, also where the file comes in a zip.
      return meta.zip ? judge::BuildStrategy::MakeNormal : judge::BuildStrategy::Compile;
    case NojBuild::Compile:
      break;
  }
  return judge::BuildStrategy::Compile;
}

Result<std::vector<judge::SourceFile>> chaos_of(const judge::ProblemFiles& directory) {
  std::vector<judge::SourceFile> files;
  if (directory.file(kChaos)) return invalid(fmt::format("'{}' must be a directory", kChaos));
  const auto found = directory.matching(std::string(kChaos) + "/*");
  if (!found) return files;  // there is none
  for (const std::string& path : *found) {
    const std::string name = path.substr(path.rfind('/') + 1);
    if (name == "." || name == "..") continue;
    files.push_back({name, TRY(directory.text(path, kLargestSource))});
  }
  return files;
}

// TTCC, both from 0.
std::string case_id(std::size_t task, std::size_t number) {
  return fmt::format("{:02}{:02}", task, number);
}

Result<Content> case_file(const NojMeta& meta, const judge::ProblemFiles& directory,
                          const std::string& id, const char* ending) {
  auto file = directory.file("testcase/" + id + ending);
  if (file || meta.mode != NojMode::Interactive) return file;
  return Content{};  // the teacher's program knows what it asks
}

Status add_tests(const NojMeta& meta, const judge::ProblemFiles& directory, Problem& problem) {
  for (std::size_t task = 0; task < meta.tasks.size(); ++task) {
    const NojTask& written = meta.tasks[task];
    const std::string subtask = std::to_string(task);
    problem.subtasks.push_back({.id = subtask, .score = static_cast<double>(written.score)});
    if (written.cases > judge::kMostTests - problem.tests.size())
      return invalid(fmt::format("there are more than {} cases", judge::kMostTests));
    for (std::size_t number = 0; number < written.cases; ++number) {
      const std::string id = case_id(task, number);
      auto input = TRY(case_file(meta, directory, id, ".in"));
      auto answer = TRY(case_file(meta, directory, id, ".out"));
      problem.tests.push_back({.id = id,
                               .input = std::move(input),
                               .answer = std::move(answer),
                               .subtask = subtask,
                               .limits = {.cpu_time = written.time, .memory = written.memory}});
    }
  }
  return {};
}

Result<judge::Checker> checker_of(const NojMeta& meta, const AssetSource& assets) {
  if (!meta.custom_checker) return judge::Checker{TRY(judge::comparison_named("lines"))};
  return judge::Checker{judge::CheckerProgram{
      .source = TRY(program_of(meta, assets, "checker", "custom_checker.py", NojLanguage::Python)),
      .protocol = judge::Protocol::Lines}};
}

// Without the right to write an attempt ends the program; the profiles say how.
void add_profiles(const NojMeta& meta, Problem& problem) {
  const std::string ending = meta.allow_write ? "-write" : "";
  problem.run_profiles = {{"native", "noj-native" + ending}, {"python", "noj-python" + ending}};
}

}  // namespace

Result<Problem> noj_problem(const NojMeta& meta, const judge::ProblemFiles& directory,
                            const AssetSource& assets, const judge::LanguageSet&) {
  judge::Checker checker = TRY(checker_of(meta, assets));
  Problem problem{.build = build_of(meta), .checker = std::move(checker)};
  if (meta.mode == NojMode::Interactive) {
    problem.kind = judge::ProblemKind::Interactive;
    problem.interactor = judge::Interactor{
        .source = TRY(program_of(meta, assets, "teacher_file", "", *meta.teacher_language)),
        .protocol = judge::Protocol::Noj,
        .starts_first = meta.teacher_first};
  }
  if (meta.build == NojBuild::MakeFunctionOnly)
    problem.build_archive = TRY(asset(meta, assets, "makefile", "makefile.zip"));
  if (meta.resource_data)
    problem.test_files = TRY(asset(meta, assets, "resource_data", "resource_data.zip"));
  if (meta.resource_data_teacher)
    problem.teacher_files =
        TRY(asset(meta, assets, "resource_data_teacher", "resource_data_teacher.zip"));
  if (meta.scoring_script)
    problem.scorer = judge::ScorerProgram{
        .source = TRY(program_of(meta, assets, "scoring_script", "score.py", NojLanguage::Python))};
  problem.beside = TRY(chaos_of(directory));
  add_profiles(meta, problem);
  problem.policy = kNojPolicy;
  TRY_STATUS(add_tests(meta, directory, problem));
  TRY_STATUS(judge::check_problem(problem));
  return problem;
}

Result<Problem> load_noj_problem(const judge::ProblemFiles& files,
                                 const judge::LanguageSet& languages) {
  const std::string text = TRY(files.text(kNojDescription, kLargestDescription));
  const std::string name = files.full_name(kNojDescription);
  const auto meta = parse_noj_meta(text);
  if (!meta) return invalid(fmt::format("{}: {}", name, meta.error().context));
  auto problem = noj_problem(*meta, files, DirectoryAssets(files), languages);
  if (!problem) return invalid(fmt::format("{}: {}", name, describe(problem.error())));
  return problem;
}

}  // namespace assay::package
