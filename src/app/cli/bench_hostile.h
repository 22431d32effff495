// The kinds of harm that the guest `hostile` does, as benches run them beside honest programs.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "sandbox/facts.h"
#include "sandbox/spec.h"

namespace assay::cli {

struct Hostile {
  const char* name;                     // the guest's argument
  const char* what;                     // in a report
  sandbox::Limits limits{};             // under which it may try
  bool endless = false;                 // goes on until it is stopped
  std::vector<const char*> statuses{};  // by go-judge's names, that are right for it
  const char* wants_out = nullptr;      // a file that is asked for afterwards
};

// All of them; each can be run alone.
std::span<const Hostile> hostile_kinds();
const Hostile* hostile_kind(std::string_view name);

}  // namespace assay::cli
