#include "tests/languages/fixture.h"

#include <algorithm>
#include <filesystem>

#include "os/file.h"
#include "sandbox/limits.h"
#include "sandbox/profile.h"

namespace assay::test {
namespace {

namespace fs = std::filesystem;

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    text += " " + word;
  return text;
}

// One file, or all files of a directory.
std::vector<Put> sources_of(const std::string& family, const std::string& program) {
  std::vector<Put> files;
  const fs::path home = fs::path(ASSAY_SOURCE_DIR) / "tests/languages/programs" / family;
  const fs::path place = fs::is_directory(home / program) ? home / program : home;
  for (const auto& entry : fs::directory_iterator(place))
    if (place != home || entry.path().stem() == program)
      files.push_back({entry.path().filename(), os::read_whole(entry.path()).value()});
  return files;
}

}  // namespace

const judge::LanguageSet& shipped_languages() {
  static const judge::LanguageSet set =
      judge::load_languages(ASSAY_SOURCE_DIR "/languages").value();
  return set;
}

void LanguageTest::SetUp() {
  BoxTest::SetUp();
  if (IsSkipped() || HasFatalFailure()) return;
  language_ = *shipped_languages().find(GetParam());
  if (!has_meters() && language().memory.model == judge::MemoryModel::Managed)
    GTEST_SKIP() << "without cgroups the address space is limited, and " << language().name
                 << " takes more of it than memory";
  const Outcome found = run_step(judge::detection_step(language()), {});
  if (std::holds_alternative<sandbox::NotStarted>(found.facts.end))
    GTEST_SKIP() << language().name << " is not installed: apt install"
                 << joined(language().packages);
  EXPECT_TRUE(judge::version_in(language(), found.output + found.errors)) << found;
}

Outcome LanguageTest::run_step(const judge::Invocation& step, const std::vector<Put>& files,
                               const std::string& input) {
  sandbox::Limits limits = step.limits;
  if (limits.cpu_time) limits.cpu_time = scaled(*limits.cpu_time);
  if (limits.wall_time) limits.wall_time = scaled(*limits.wall_time);
  return run({.arguments = step.argv,
              .input = input,
              .files_in = files,
              .files_out = step.outputs,
              .limits = limits,
              .profile = step.profile,
              .environment = step.environment});
}

Built LanguageTest::build(const std::string& program) {
  Built built;
  std::vector<Put> files = sources_of(language().family, program);
  EXPECT_FALSE(files.empty()) << "no program '" << program << "'";
  std::vector<judge::SourceText> texts;
  for (const Put& file : files)
    texts.push_back({file.name, file.content});
  built.sources = judge::name_sources(language(), texts).value();
  for (std::size_t i = 0; i < files.size(); ++i)
    files[i].name = built.sources.names[i];
  for (const judge::Companion& file : language().files)
    files.push_back({file.name, file.content});
  std::vector<judge::Invocation> steps =
      judge::compile_steps(language(), {.sources = built.sources});
  if (const auto lint = judge::lint_step(language(), built.sources)) steps.push_back(*lint);
  for (const judge::Invocation& step : steps) {
    built.last = run_step(step, files);
    if (built.last.letters != "AC") return built;
    for (const auto& [name, content] : built.last.files)
      files.push_back({name, content, true});
  }
  const std::vector<std::string> wanted = judge::files_to_run(language(), built.sources);
  for (const Put& file : files)
    if (std::ranges::find(wanted, file.name) != wanted.end()) built.files.push_back(file);
  built.good = built.files.size() == wanted.size();
  return built;
}

Outcome LanguageTest::run_built(const Built& built, const std::string& input, Bytes memory) {
  const auto profile =
      sandbox::load_profile(ASSAY_SOURCE_DIR "/profiles", language().profile(judge::Task::Run));
  const judge::RunLimits limits = judge::limits_for(
      language(), {.problem = {.cpu_time = 10s, .memory = memory}, .profile = profile->limits});
  return run_step(judge::run_step(language(), built.sources, limits), built.files, input);
}

}  // namespace assay::test
