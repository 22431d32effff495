// From the command line and the environment to Settings. One table has every option: its name (and
// by that its ES_ variable), what reads it, what it means.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>

#include "app/daemon/config/settings.h"

namespace assay::daemon {

// Where values come from. Read only.
struct Invocation {
  std::span<const std::string> arguments{};  // without the program's name
  std::map<std::string, std::string, std::less<>> environment{};
  bool is_first_process = false;  // PID 1: in a container, other defaults fit
};

struct Chosen {
  Settings settings{};
  std::map<std::string, std::string, std::less<>> set{};  // option name, by whom ("-dir", "ES_DIR")
};

// Defaults, then the environment, then the flags. The Error is one line for the operator.
Result<Chosen> choose(const Invocation& invocation);

// For each option that is accepted and changes nothing here, when somebody set it: one sentence.
std::vector<std::string> without_effect(const Chosen& chosen);

std::string help_text();

// One row of help_text, for those who check that nothing is missing.
struct OptionName {
  std::string flag{};      // "http-addr"
  std::string variable{};  // "ES_HTTP_ADDR"
  std::string fallback{};  // what it is when nobody says anything
};
std::vector<OptionName> option_names();

}  // namespace assay::daemon
