// From the options of `assay exec` to a spec, with every file opened as the caller.
#pragma once

#include <optional>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/outputs.h"
#include "app/cli/program_input.h"
#include "app/cli/stream_file.h"
#include "sandbox/spec.h"

namespace assay::cli {

// Says which option an error is about.
template <typename T>
Result<T> about(const char* option, Result<T> result) {
  if (!result) result.error().context = std::string(option) + ": " + result.error().context;
  return result;
}

struct PreparedRun {
  sandbox::Spec spec{};
  std::vector<os::OwnedFd> open{};  // what the spec borrows
  std::optional<CopiedInput> copied_input{};
  std::optional<int> relayed_input{};  // borrowed: stdin is passed on from here
  std::vector<StreamFile> streams{};
  std::vector<PendingFile> outputs{};
};

// All but what is written: nothing on the host has changed when an option is found to be wrong.
Result<PreparedRun> prepare_run(const ExecOptions& options);

// What only the profile can tell, and whatever else would be refused once the run begins.
Status check_run(const PreparedRun& run);

// Opens what is written, and empties it last: from here on the run begins. No two of them are one
// file, but for two streams, which share it.
Status open_outputs(PreparedRun& run, const ExecOptions& options);

Result<std::vector<unsigned>> parse_cores(const std::string& text);

}  // namespace assay::cli
