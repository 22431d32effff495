// Files that an operator or a problem setter writes. Every complaint names the place.
#include "base/check.h"
#include "fuzz/slices.h"
#include "fuzz/targets.h"
#include "judge/language_file.h"
#include "judge/native_fields.h"
#include "sandbox/profile.h"
#include "sandbox/warden/filter.h"
#include "sandbox/warden/plan.h"
#include "sandbox/warden/rules.h"
#include "verdict/policy.h"

namespace assay::fuzz {
namespace {

constexpr std::size_t kMostCompiled = 2048;  // bytes of a filter: libseccomp takes its time

}  // namespace

void profile(std::string_view bytes) {
  const auto profile = sandbox::parse_profile("fuzzed", bytes);
  if (!profile) {
    CHECK(is_explained(profile, bytes.size()));
    CHECK(profile.error().context.contains("fuzzed"));
    return;
  }
  const auto plan = sandbox::warden::lay_out({.profile = *profile, .stage = "/stage"});
  CHECK(!plan || plan->size() <= sandbox::inside::kMaxPlan);
}

void policy(std::string_view bytes) {
  const auto policy = verdict::parse_policy("fuzzed", bytes);
  if (!policy)
    CHECK(is_explained(policy, bytes.size()));
  else
    CHECK(policy->name == "fuzzed");
}

void language(std::string_view bytes) {
  const auto languages = judge::parse_language("fuzzed", "fuzzed.toml", bytes);
  if (!languages) {
    CHECK(is_explained(languages, bytes.size()));
    CHECK(languages.error().context.starts_with("fuzzed.toml:"));
    return;
  }
  for (const judge::Language& language : *languages)
    CHECK(language.family == "fuzzed" && !language.run.argv.empty());
}

void problem(std::string_view bytes) {
  const auto document = sandbox::parse_document("problem.toml", bytes);
  if (!document) {
    CHECK(is_explained(document, bytes.size()));
    return;
  }
  const auto problem = judge::read_problem(*document);
  if (!problem) {
    CHECK(is_explained(problem, bytes.size()));
    CHECK(problem.error().context.starts_with("problem.toml:"));
  }
}

void seccomp(std::string_view bytes) {
  const auto rules = sandbox::warden::parse_rules(bytes);
  if (!rules) {
    CHECK(is_explained(rules, bytes.size()));
    return;
  }
  for (const auto& rule : rules->rules)
    CHECK(!rule.names.empty() && rule.conditions.size() <= 6);
  if (bytes.size() > kMostCompiled) return;
  if (const auto filter = sandbox::warden::compile_filter(bytes))
    CHECK(filter->program.size() <= sandbox::inside::kMaxFilter);
}

}  // namespace assay::fuzz
