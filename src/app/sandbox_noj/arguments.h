// The command line of Normal-OJ's `sandbox` (B1.3 of the seed checklist): upstream's 11 arguments,
// or its fork's 12 with allow_network before the last.
#pragma once

#include <chrono>
#include <span>
#include <string>

#include "base/result.h"
#include "base/units.h"
#include "sandbox/spec.h"

namespace assay::noj {

enum class Lang { C, Cpp, Python };

struct Arguments {
  Lang language = Lang::C;
  bool compile = false;
  std::string input{}, output{}, errors{};
  std::chrono::milliseconds time_limit{};
  Bytes memory_limit{};
  bool large_stack = false;
  Bytes output_limit{};
  std::uint64_t processes = 0;
  bool allow_network = false;
  std::string result{};
};

extern const char* const kUsage;

// Without the program's name. An InvalidRequest is one sentence.
Result<Arguments> parse_arguments(std::span<const std::string> words);

// Those of the original: CPU in whole seconds past the limit, since the verdict is taken from what
// was used and not from what ended the run; twice the memory; the watcher's wall time.
sandbox::Limits limits_of(const Arguments& arguments);

// What is run in the work place; the shell is the original's, for its *.c.
std::vector<std::string> command_of(const Arguments& arguments);

}  // namespace assay::noj
