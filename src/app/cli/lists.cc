// `assay profiles` and `assay policies`.
#include <fmt/format.h>

#include <cstdio>

#include "app/cli/commands.h"
#include "app/cli/json_text.h"
#include "sandbox/profile.h"
#include "verdict/policy.h"

namespace assay::cli {
namespace {

struct Row {
  std::string name;
  std::string about;
};

int print(const std::vector<Row>& rows, bool json) {
  std::string text;
  for (const Row& row : rows)
    text += json ? fmt::format(R"({}{{"name":{},"about":{}}})", text.empty() ? "[" : ",",
                               json_quoted(row.name), json_quoted(row.about))
                 : fmt::format("{:<14} {}\n", row.name, row.about);
  if (json) text += text.empty() ? "[]\n" : "]\n";
  std::fputs(text.c_str(), stdout);
  return kGood;
}

}  // namespace

int list_profiles(bool json) {
  const auto names = sandbox::list_profiles(profile_directory());
  if (!names) return failed(describe(names.error()));
  std::vector<Row> rows;
  for (const std::string& name : *names) {
    const auto profile = sandbox::load_profile(profile_directory(), name);
    if (!profile) return failed(describe(profile.error()));
    rows.push_back({name, profile->description});
  }
  return print(rows, json);
}

int list_policies(bool json) {
  const auto names = verdict::list_policies(policy_directory());
  if (!names) return failed(describe(names.error()));
  std::vector<Row> rows;
  for (const std::string& name : *names) {
    const auto policy = verdict::load_policy(policy_directory(), name);
    if (!policy) return failed(describe(policy.error()));
    rows.push_back({name, policy->about});
  }
  return print(rows, json);
}

}  // namespace assay::cli
