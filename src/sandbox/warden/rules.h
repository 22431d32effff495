// What a seccomp profile says, before it is compiled: the OCI JSON format as a plain value.
#pragma once

#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay::sandbox::warden {

// Notify stands for OCI's KILL and KILL_PROCESS as well: the launcher hears of the call, writes
// down its number, and ends the run. A plain kill would leave no trace of what was forbidden.
enum class Action { Allow, Log, Errno, Trap, KillThread, Notify };

struct Decision {
  Action action = Action::Allow;
  std::uint16_t error = 0;  // of Errno
  bool operator==(const Decision&) const = default;
};

enum class Compare { NotEqual, Less, LessOrEqual, Equal, GreaterOrEqual, Greater, MaskedEqual };

// On all 64 bits of the argument, whatever its type in C. MaskedEqual: (argument & value) ==
// value_two.
struct Condition {
  unsigned index = 0;
  Compare compare = Compare::Equal;
  std::uint64_t value = 0;
  std::uint64_t value_two = 0;
  bool operator==(const Condition&) const = default;
};

struct Rule {
  std::vector<std::string> names{};  // "openat", or "#437" for a call that has no name here yet
  Decision decision{};
  std::vector<Condition> conditions{};  // all must hold
  bool operator==(const Rule&) const = default;
};

struct Rules {
  Decision otherwise{};
  std::vector<Rule> rules{};
  bool operator==(const Rules&) const = default;
};

// Refuses every key it does not know: Docker's "includes" or "excludes" would silently change what
// a rule means.
Result<Rules> parse_rules(std::string_view text);

}  // namespace assay::sandbox::warden
