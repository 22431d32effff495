#include "judge/language_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "judge/language_template.h"

namespace assay::judge {
namespace {

constexpr Bytes kCompilerMemory = 1_GiB;  // the compile profile's
constexpr Bytes kUnlimited = 2_GiB;       // what a runtime is told when there is no limit

std::uint64_t mebibytes(Bytes bytes) {
  return std::max<std::uint64_t>(bytes.count >> 20, 1);
}

struct Room {
  Bytes memory = kUnlimited;
  Bytes stack = kUnlimited;
};

Meanings values_of(const Language& language, const NamedSources& sources, const Room& room) {
  constexpr std::uint64_t kMostInitial = 512;
  const std::uint64_t memory = mebibytes(room.memory);
  const Bytes stack = std::min(room.stack, language.memory.most_stack.value_or(room.stack));
  Meanings values;
  for (const auto& [name, value] : language.variables)
    values.texts[name] = value;
  values.texts["source"] = values.texts["src"] = sources.main;
  values.texts["output"] = values.texts["bin"] = language.output;
  values.texts["entry"] = sources.entry;
  values.texts["memory_mb"] = std::to_string(memory);
  values.texts["initial_memory_mb"] =
      std::to_string(std::clamp<std::uint64_t>(memory * 9 / 10, 1, kMostInitial));
  values.texts["stack_mb"] = std::to_string(mebibytes(stack));
  values.texts["stack_kb"] = std::to_string(std::max<std::uint64_t>(stack.count >> 10, 1));
  values.lists["sources"] = sources.compiled;
  return values;
}

void set_flags(Meanings& values, std::span<const std::string> flags) {
  values.lists["flags"] = {flags.begin(), flags.end()};
  values.lists["extraFlags"] = values.lists["flags"];
}

Invocation invocation_of(const Language& language, Task task, const Step& step,
                         const Meanings& values) {
  return {.profile = language.profile(task),
          .argv = fill_in(step.argv, values),
          .environment = fill_in(step.environment, values),
          .limits = step.limits,
          .outputs = fill_in(step.outputs, values)};
}

Meanings values_of_step(const Language& language, const NamedSources& sources, const Step& step) {
  const Bytes memory = step.limits.memory.value_or(kCompilerMemory);
  return values_of(language, sources, {memory, step.limits.stack.value_or(memory)});
}

}  // namespace

std::vector<Invocation> compile_steps(const Language& language, const Build& build) {
  std::vector<Invocation> steps;
  for (const Step& step : language.compile) {
    Meanings values = values_of_step(language, build.sources, step);
    set_flags(values, build.flags);
    auto& warm = values.lists["warm"];
    if (build.warm && language.warmth) warm = fill_in(language.warmth->use, values);
    steps.push_back(invocation_of(language, Task::Compile, step, values));
  }
  return steps;
}

std::optional<Invocation> lint_step(const Language& language, const NamedSources& sources) {
  if (!language.lint) return std::nullopt;
  const Meanings values = values_of_step(language, sources, *language.lint);
  return invocation_of(language, Task::Lint, *language.lint, values);
}

std::vector<std::string> files_to_run(const Language& language, const NamedSources& sources) {
  if (language.compile.empty()) return sources.names;
  const Step& last = language.compile.back();
  std::vector<std::string> names = fill_in(last.outputs, values_of_step(language, sources, last));
  if (language.keeps_sources)
    std::ranges::copy_if(sources.names, std::back_inserter(names), [&](const std::string& name) {
      return std::ranges::find(names, name) == names.end();
    });
  return names;
}

Invocation run_step(const Language& language, const NamedSources& sources, const RunLimits& limits,
                    Task task, std::span<const std::string> arguments) {
  const Bytes memory = limits.memory.value_or(kUnlimited);
  const Meanings values =
      values_of(language, sources, {memory, limits.enforced.stack.value_or(memory)});
  Invocation run = invocation_of(language, task, language.run, values);
  run.argv.insert(run.argv.end(), arguments.begin(), arguments.end());
  run.limits = limits.enforced;
  return run;
}

std::optional<Invocation> warm_up(const Language& language, std::span<const std::string> flags) {
  if (!language.warmth) return std::nullopt;
  const Warmth& warmth = *language.warmth;
  std::vector<std::string> relevant;
  for (const std::string& flag : flags) {
    if (is_among(flag, warmth.never)) return std::nullopt;
    if (is_among(flag, warmth.flags)) relevant.push_back(flag);
  }
  Meanings values = values_of_step(language, {.main = warmth.file}, warmth.step);
  set_flags(values, relevant);
  return invocation_of(language, Task::Compile, warmth.step, values);
}

bool profits_from_warmth(const Language& language, std::string_view source) {
  if (!language.warmth) return false;
  // Only the head: a regular expression over a megabyte would cost more than it saves.
  const std::string_view head = source.substr(0, 4096);
  const std::regex when(language.warmth->when, std::regex::ECMAScript | std::regex::multiline);
  return std::regex_search(head.begin(), head.end(), when);
}

Invocation detection_step(const Language& language) {
  return {.profile = language.profile(Task::Compile),
          .argv = fill_in(language.detection.argv, values_of(language, {}, {}))};
}

std::optional<std::string> version_in(const Language& language, std::string_view text) {
  const std::string_view head = text.substr(0, 4096);
  std::match_results<std::string_view::const_iterator> found;
  const std::regex version(language.detection.version);
  if (!std::regex_search(head.begin(), head.end(), found, version)) return std::nullopt;
  return found.size() > 1 ? found[1].str() : found[0].str();
}

}  // namespace assay::judge
