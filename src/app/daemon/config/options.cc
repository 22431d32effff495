#include "app/daemon/config/options.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/daemon/config/option_table.h"
#include "app/daemon/config/webhook_url.h"

namespace assay::daemon {
namespace {

std::string variable_of(std::string_view name) {
  std::string variable = "ES_";
  for (const char c : name)
    variable += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return variable;
}

const Option* find(std::string_view name) {
  for (const Option& option : options())
    if (option.name == name) return &option;
  return nullptr;
}

Status apply(const Option& option, std::string_view text, const std::string& said_by,
             Chosen& chosen) {
  const Status done = option.read(text, chosen.settings);
  // A token stays out of every message, also a mistaken one.
  if (!done) return invalid(fmt::format("{}: {}", said_by, done.error().context));
  chosen.set[std::string(option.name)] = said_by;
  return {};
}

Status apply_environment(const Invocation& invocation, Chosen& chosen) {
  for (const Option& option : options()) {
    const std::string variable = variable_of(option.name);
    const auto value = invocation.environment.find(variable);
    if (value == invocation.environment.end() || option.name == "help") continue;
    if (value->second.empty() && option.alone) continue;
    TRY_STATUS(apply(option, value->second, variable, chosen));
  }
  return {};
}

// "-name", "--name", "-name=value", "-name value". Takes what it needs from the front.
Status take_flag(std::span<const std::string>& arguments, Chosen& chosen) {
  std::string_view text = arguments.front();
  arguments = arguments.subspan(1);
  if (text.size() < 2 || text[0] != '-' || text == "--")
    return invalid(
        fmt::format("unexpected argument '{}': every setting is a flag (see -help)", text));
  text.remove_prefix(text.starts_with("--") ? 2 : 1);
  const std::size_t equals = text.find('=');
  std::string_view name = text.substr(0, equals);
  if (name == "h") name = "help";
  const Option* option = find(name);
  if (option == nullptr) return invalid(fmt::format("unknown flag '-{}' (see -help)", name));
  const std::string said_by = fmt::format("-{}", name);
  if (equals != std::string_view::npos)
    return apply(*option, text.substr(equals + 1), said_by, chosen);
  if (option->alone) return apply(*option, "true", said_by, chosen);
  if (arguments.empty()) return invalid(fmt::format("{}: needs a value", said_by));
  const std::string& value = arguments.front();
  arguments = arguments.subspan(1);
  return apply(*option, value, said_by, chosen);
}

Status check_webhooks(const Settings& settings) {
  for (const std::string& prefix : settings.webhook_prefix)
    if (const auto url = parse_webhook_prefix(prefix); !url)
      return invalid(fmt::format("-webhook-prefix: '{}' {}", prefix, url.error().context));
  if (settings.webhook_prefix.empty()) return {};
  if (!settings.judging) return invalid("-webhook-prefix: there are no results without -judging");
  if (settings.webhook_secret.empty())
    return invalid("-webhook-prefix: results are sent signed only; set ES_WEBHOOK_SECRET");
  return {};
}

Status check_noj(const Settings& settings) {
  if (settings.noj_problems.empty()) {
    if (settings.noj_backend.empty()) return {};
    return invalid("-noj-backend: there is nothing to judge without -noj-problems");
  }
  if (!settings.judging) return invalid("-noj-problems: nothing is judged without -judging");
  if (!settings.noj_problems.starts_with('/'))
    return invalid(
        fmt::format("-noj-problems: '{}' is not an absolute path", settings.noj_problems));
  if (settings.noj_queue == 0) return invalid("-noj-queue: must be 1 or more");
  if (settings.noj_token.empty())
    return invalid("-noj-problems: everybody could submit; set ES_NOJ_TOKEN");
  if (settings.noj_backend.empty()) return {};
  if (const auto url = parse_webhook_prefix(settings.noj_backend); !url)
    return invalid(fmt::format("-noj-backend: '{}' {}", settings.noj_backend, url.error().context));
  return {};
}

// What one option alone cannot know.
Status check_together(const Settings& settings) {
  if (settings.no_fallback && settings.allow_degraded)
    return invalid("-no-fallback and -allow-degraded contradict each other");
  for (const std::string& prefix : settings.src_prefix)
    if (prefix[0] != '/')
      return invalid(fmt::format("-src-prefix: '{}' is not an absolute path", prefix));
  if (settings.open_file_limit == 0) return invalid("-open-file-limit: must be 1 or more");
  if (settings.max_body.count == 0) return invalid("-max-body: must be more than 0");
  TRY_STATUS(check_noj(settings));
  return check_webhooks(settings);
}

}  // namespace

Result<Chosen> choose(const Invocation& invocation) {
  Chosen chosen;
  if (invocation.is_first_process) {
    chosen.settings.http_addr = ":5050";
    chosen.settings.grpc_addr = ":5051";
    chosen.settings.monitor_addr = ":5052";
    chosen.settings.release = true;
  }
  TRY_STATUS(apply_environment(invocation, chosen));
  std::span<const std::string> rest = invocation.arguments;
  while (!rest.empty())
    TRY_STATUS(take_flag(rest, chosen));
  TRY_STATUS(check_together(chosen.settings));
  return chosen;
}

std::vector<std::string> without_effect(const Chosen& chosen) {
  std::vector<std::string> sentences;
  for (const Option& option : options())
    if (const auto by = chosen.set.find(option.name);
        !option.no_effect.empty() && by != chosen.set.end())
      sentences.push_back(fmt::format("{} changes nothing here: {}", by->second, option.no_effect));
  return sentences;
}

std::string help_text() {
  std::string text =
      "assayd: runs programs for judges, over go-judge's interfaces.\n"
      "Flags win over environment variables (ES_HTTP_ADDR for -http-addr), those over "
      "defaults.\n\n";
  const Settings defaults;
  for (const Option& option : options()) {
    const std::string value = option.show(defaults);
    const std::string meaning = option.no_effect.empty()
                                    ? std::string(option.meaning)
                                    : fmt::format("{}: {}", option.meaning, option.no_effect);
    text += fmt::format("  -{:<28} {}{}\n", option.name, meaning,
                        option.alone || value.empty() ? "" : fmt::format(" ({})", value));
  }
  return text;
}

std::vector<OptionName> option_names() {
  std::vector<OptionName> names;
  const Settings defaults;
  for (const Option& option : options())
    names.push_back({std::string(option.name), variable_of(option.name), option.show(defaults)});
  return names;
}

}  // namespace assay::daemon
