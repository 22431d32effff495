// From the options of `assay exec` to a spec, with every file opened as the caller.
#pragma once

#include <vector>

#include "app/cli/commands.h"
#include "app/cli/outputs.h"
#include "sandbox/spec.h"

namespace assay::cli {

struct PreparedRun {
  sandbox::Spec spec{};
  std::vector<os::OwnedFd> open{};  // what the spec borrows
  std::vector<PendingFile> outputs{};
};

Result<PreparedRun> prepare_run(const ExecOptions& options);
Result<std::vector<unsigned>> parse_cores(const std::string& text);

}  // namespace assay::cli
