// What became of a command, as a client is told.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "sandbox/facts.h"

namespace assay::exec {

// The numbers are those of go-judge's protobuf, the words (name_of) those of its JSON.
enum class RunStatus {
  Invalid,
  Accepted,
  WrongAnswer,
  PartiallyCorrect,
  MemoryLimitExceeded,
  TimeLimitExceeded,
  OutputLimitExceeded,
  FileError,
  NonzeroExitStatus,
  Signalled,
  DangerousSyscall,
  JudgementFailed,
  InvalidInteraction,
  InternalError
};

enum class FileErrorType {  // numbers as in the protobuf
  CopyInOpenFile,
  CopyInCreateFile,
  CopyInCopyContent,
  CopyOutOpen,
  CopyOutNotRegularFile,
  CopyOutSizeExceeded,
  CopyOutCreateFile,
  CopyOutCopyContent,
  CollectSizeExceeded,
  Symlink
};

struct FileError {
  std::string name{};
  FileErrorType type{};
  std::string message{};
  bool operator==(const FileError&) const = default;
};

struct CommandResult {
  RunStatus status = RunStatus::Invalid;
  int exit_status = 0;  // exit code, or the signal's number
  std::string error{};
  Nanoseconds time{};  // cpu
  Bytes memory{};
  Nanoseconds run_time{};  // wall
  std::uint64_t process_peak = 0;
  std::map<std::string, std::string> files{};     // name → bytes
  std::map<std::string, std::string> file_ids{};  // name → id in the store
  std::vector<FileError> file_errors{};
  std::optional<sandbox::Facts> facts{};  // when there was a run
};

std::string_view name_of(RunStatus status);    // "Memory Limit Exceeded"
std::string_view name_of(FileErrorType type);  // "CopyInOpenFile"

}  // namespace assay::exec
