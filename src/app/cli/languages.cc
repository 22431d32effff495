// `assay languages`: which languages are known, which of them are installed, and what would install
// the others. A tool is asked for its version in a box, because that is where it must work.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <map>

#include "app/cli/commands.h"
#include "app/cli/json_text.h"
#include "app/cli/unprivileged.h"
#include "judge/language_set.h"
#include "judge/language_steps.h"

namespace assay::cli {
namespace {

using namespace std::chrono_literals;
using judge::Language;

struct Found {
  std::optional<std::string> version{};
  std::string problem{};  // it is there and does not work
};

Found judged(const Language& language, const sandbox::Facts& facts, const std::string& text) {
  if (std::holds_alternative<sandbox::NotStarted>(facts.end)) return {};
  if (const auto version = judge::version_in(language, text)) return {.version = version};
  const auto* exited = std::get_if<sandbox::Exited>(&facts.end);
  if (facts.cut_off_by != sandbox::CutOff::None)
    return {.problem = fmt::format("did not tell its version within its {} limit",
                                   name_of(facts.cut_off_by))};
  if (exited != nullptr && exited->code == 0) return {.problem = "does not tell its version"};
  return {.problem = "fails when asked for its version"};
}

Result<Found> look_for(sandbox::Sandbox& engine, const Language& language) {
  const judge::Invocation step = judge::detection_step(language);
  std::string output;
  std::string errors;
  const sandbox::Spec spec{
      .profile = step.profile,
      .argv = step.argv,
      .output = sandbox::Collect{.text = &output, .limit = 64_KiB, .discard_rest = true},
      .errors = sandbox::Collect{.text = &errors, .limit = 64_KiB, .discard_rest = true},
      .limits = {.cpu_time = 10s, .wall_time = 20s}};
  const sandbox::Facts facts = TRY(engine.run(spec));
  return judged(language, facts, output + "\n" + errors);
}

std::string quoted_words(const judge::Template& words) {
  std::string line;
  for (const std::string& word : words) {
    const bool plain = !word.empty() && word.find_first_of(" \t\n'\"\\") == std::string::npos;
    line += fmt::format("{}{}", line.empty() ? "" : " ", plain ? word : "'" + word + "'");
  }
  return line;
}

std::string json_list(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts)
    list += (list.empty() ? "" : ",") + json_quoted(text);
  return "[" + list + "]";
}

std::string json_commands(const std::vector<judge::Step>& steps) {
  std::string line;
  for (const judge::Step& step : steps)
    line += (line.empty() ? "" : " && ") + quoted_words(step.argv);
  return json_quoted(line);
}

double number(judge::Factor factor) {
  return static_cast<double>(factor.thousandths) / 1000;
}

// The names of seed 001's LanguageSpec, and what it does not have.
std::string json_of(const Language& language, const Found& found) {
  return fmt::format(
      R"({{"id":{},"name":{},"installed":{},"version":{},"problem":{},"packages":{},"aliases":{},)"
      R"("extensions":{},"sourceFile":{},"binaryFile":{},"compileEnabled":{},"compileCmdTpl":{},)"
      R"("runCmdTpl":{},"env":{},"timeMultiplier":{},"memoryMultiplier":{}}})",
      json_quoted(language.id), json_quoted(language.name), found.version.has_value(),
      found.version ? json_quoted(*found.version) : "null",
      found.problem.empty() ? "null" : json_quoted(found.problem), json_list(language.packages),
      json_list(language.aliases), json_list(language.extensions), json_quoted(language.source),
      json_quoted(language.output), !language.compile.empty(), json_commands(language.compile),
      json_quoted(quoted_words(language.run.argv)), json_list(language.run.environment),
      number(language.time.multiplier), number(language.memory.multiplier));
}

std::string line_of(const Language& language, const Found& found) {
  const std::string package = fmt::format("apt install {}", fmt::join(language.packages, " "));
  if (found.version)
    return fmt::format("{:<12} {:<12} {}\n", language.id, *found.version, language.name);
  if (found.problem.empty())
    return fmt::format("{:<12} {:<12} {}: {}\n", language.id, "-", language.name, package);
  return fmt::format("{:<12} {:<12} {} {}: {}\n", language.id, "broken", language.name,
                     found.problem, package);
}

int list(sandbox::Sandbox& engine, const judge::LanguageSet& set, bool json) {
  std::map<judge::Template, Found> known;  // variants share a tool, which is asked once
  std::string text;
  for (const Language& language : set.all()) {
    const auto [at, is_new] = known.try_emplace(judge::detection_step(language).argv);
    if (is_new) {
      auto found = look_for(engine, language);
      if (!found) return failed(describe(found.error()));
      at->second = std::move(*found);
    }
    if (json)
      text += (text.empty() ? "[" : ",\n") + json_of(language, at->second);
    else
      text += line_of(language, at->second);
  }
  if (json) text += text.empty() ? "[]\n" : "]\n";
  std::fputs(text.c_str(), stdout);
  return kGood;
}

Result<int> list_in_boxes(bool json) {
  const judge::LanguageSet set = TRY(judge::load_languages(language_directory()));
  auto engine =
      TRY(sandbox::Sandbox::start({.profiles = profile_directory(), .allow_degraded = true}));
  for (const Language& language : set.all())
    TRY_STATUS(engine.know(language.profile(judge::Task::Compile)));
  return run_unprivileged(Afterwards::NeedsNone, [&] { return list(engine, set, json); });
}

}  // namespace

int list_languages(bool json) {
  const auto code = list_in_boxes(json);
  return code ? *code : failed(describe(code.error()));
}

}  // namespace assay::cli
