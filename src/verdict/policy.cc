#include "verdict/policy.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <utility>

#include "verdict/policy_toml.h"

namespace assay::verdict {
namespace {

Status check_run_rules(const RunRules& run) {
  if (!is_slow(run.wall_verdict))
    return invalid("run.wall_verdict must be 'time_limit' or 'idle_limit'");
  if (run.not_executable != Verdict::RuntimeError && run.not_executable != Verdict::SystemError)
    return invalid("run.not_executable must be 'runtime_error' or 'system_error'");
  // Without these a failed program would be called accepted.
  constexpr std::pair<Cause, const char*> kNeeded[] = {{Cause::NotStarted, "not_started"},
                                                       {Cause::CutOff, "cut_off"},
                                                       {Cause::Forbidden, "forbidden"},
                                                       {Cause::Runtime, "runtime"}};
  for (const auto& [cause, name] : kNeeded) {
    if (std::ranges::find(run.order, cause) == run.order.end())
      return invalid("run.order leaves out '" + std::string(name) + "'");
  }
  return {};
}

Status check_labels(const Policy& policy) {
  for (const Verdict verdict : kVerdicts) {
    if (policy.verdicts.at(index_of(verdict)).letters.empty())
      return invalid("[verdicts] gives no letters for '" + std::string(name_of(verdict)) + "'");
  }
  for (const auto* end : {&policy.ends.exit_code, &policy.ends.signal, &policy.ends.forbidden,
                          &policy.ends.file_error}) {
    if (*end && ((*end)->letters.empty() || (*end)->name.empty()))
      return invalid("every one of [ends] needs both letters and a name");
  }
  for (const auto& letters : policy.submission.order) {
    if (std::ranges::find(policy.verdicts, letters, &Label::letters) == policy.verdicts.end())
      return invalid("submission.order names '" + letters + "', the letters of no verdict");
  }
  return {};
}

// Where a file gives letters only, our own words stand in.
void complete_names(Policy& policy) {
  for (const Verdict verdict : kVerdicts) {
    Label& label = policy.verdicts.at(index_of(verdict));
    if (!label.name.empty()) continue;
    label.name = name_of(verdict);
    std::ranges::replace(label.name, '_', ' ');
  }
}

// The name comes from a request, and becomes part of a path.
bool is_plain(const std::string& name) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789_-";
  return !name.empty() && name.find_first_not_of(kLetters) == std::string::npos;
}

std::unexpected<Error> no_such_policy(const std::string& directory, const std::string& name) {
  std::string known;
  for (const auto& each : list_policies(directory).value_or(std::vector<std::string>{}))
    known += (known.empty() ? "; there are " : ", ") + each;
  return std::unexpected(
      Error{Fault::NotFound, 0, "no policy '" + name + "' in '" + directory + "'" + known});
}

}  // namespace

Result<Policy> parse_policy(std::string name, std::string_view toml_text) {
  auto policy = read_policy(toml_text);
  const auto labelled = [&name](Error error) {
    error.context = "policy '" + name + "': " + error.context;
    return std::unexpected(std::move(error));
  };
  if (!policy) return labelled(std::move(policy).error());
  if (auto status = check_run_rules(policy->run); !status) return labelled(status.error());
  if (auto status = check_labels(*policy); !status) return labelled(status.error());
  complete_names(*policy);
  policy->name = std::move(name);
  return policy;
}

Result<Policy> load_policy(const std::string& directory, const std::string& name) {
  if (!is_plain(name)) return no_such_policy(directory, name);
  std::ifstream file(directory + "/" + name + ".toml", std::ios::binary);
  if (!file) return no_such_policy(directory, name);
  std::string text;  // by read(), which notes what an iterator of the buffer would throw
  std::array<char, 16384> part;
  while (file.read(part.data(), part.size()), file.gcount() > 0)
    text.append(part.data(), static_cast<std::size_t>(file.gcount()));
  if (file.bad()) return system_error(EIO, "read policy '" + name + "' in '" + directory + "'");
  return parse_policy(name, text);
}

Result<std::vector<std::string>> list_policies(const std::string& directory) {
  std::error_code error;
  std::filesystem::directory_iterator entry(directory, error);
  std::vector<std::string> names;
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    if (entry->path().extension() == ".toml" && is_plain(entry->path().stem()))
      names.push_back(entry->path().stem());
  }
  if (error) return system_error(error.value(), "list policies in '" + directory + "'");
  std::ranges::sort(names);
  return names;
}

}  // namespace assay::verdict
