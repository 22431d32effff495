// From what a client asked for, through what the server allows, to what the engine enforces.
#pragma once

#include "exec/command.h"
#include "exec/runner.h"
#include "sandbox/spec.h"

namespace assay::exec {

struct ChosenLimits {
  sandbox::Limits enforced{};
  std::optional<Bytes> memory{};  // what is judged by: the enforced limit is a little higher
};

ChosenLimits choose_limits(const CommandLimits& wanted, const Rules& rules);

}  // namespace assay::exec
