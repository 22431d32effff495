// From a language to what is run: complete command lines, with the files that go in and come out.
// Pure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "judge/language.h"
#include "judge/language_limits.h"
#include "judge/language_sources.h"

namespace assay::judge {

struct Invocation {
  std::string profile{};
  std::vector<std::string> argv{};
  std::vector<std::string> environment{};  // "K=V", beyond the profile's
  sandbox::Limits limits{};                // instead of the profile's
  std::vector<std::string> outputs{};      // to take out afterwards; all must be there
  bool operator==(const Invocation&) const = default;
};

struct Build {
  NamedSources sources{};
  std::vector<std::string> flags{};  // filtered already
  bool warm = false;                 // what warm_up() made lies at the language's `place`
};

// In this order, until one fails. Every step finds the sources and the outputs of those before it.
// Empty for a language that is run as it is.
std::vector<Invocation> compile_steps(const Language& language, const Build& build);

// The check of the syntax, where there is one.
std::optional<Invocation> lint_step(const Language& language, const NamedSources& sources);

// What is there for the program: the outputs of the last compile step, or without any the sources.
std::vector<std::string> files_to_run(const Language& language, const NamedSources& sources);

// `task` is Run, Checker or Interactor; `arguments` come after the language's own words.
Invocation run_step(const Language& language, const NamedSources& sources, const RunLimits& limits,
                    Task task = Task::Run, std::span<const std::string> arguments = {});

// What to make ahead for compilations with these flags, if they can use it, and whether a source
// would profit.
std::optional<Invocation> warm_up(const Language& language, std::span<const std::string> flags);
bool profits_from_warmth(const Language& language, std::string_view source);

Invocation detection_step(const Language& language);
// The version in what the detection printed; nothing when it looks like something else.
std::optional<std::string> version_in(const Language& language, std::string_view text);

}  // namespace assay::judge
