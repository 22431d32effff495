#include "exec/status.h"

#include <signal.h>

#include <cctype>

#include "verdict/judge.h"

namespace assay::exec {
namespace {

int exit_status(const sandbox::End& end) {
  if (const auto* exited = std::get_if<sandbox::Exited>(&end)) return exited->code;
  if (const auto* signaled = std::get_if<sandbox::Signaled>(&end)) return signaled->signal;
  if (std::holds_alternative<sandbox::Forbidden>(end)) return SIGSYS;
  return 0;
}

// `search_failure` ends with ": " when the name was a path and the kernel has the last word.
std::string why_not_started(const sandbox::NotStarted& end, const std::string& search_failure) {
  if (end.step != "execute") return describe(end);
  if (search_failure.ends_with(": ")) {
    std::string words = describe(Error{Fault::System, end.error, ""}).substr(2);
    words[0] = static_cast<char>(std::tolower(words[0]));  // as Go writes them
    return search_failure + words;
  }
  return end.error == ENOENT || end.error == EACCES ? search_failure : describe(end);
}

FileErrorType type_of(sandbox::FileStage stage) {
  using sandbox::FileStage;
  switch (stage) {
    case FileStage::Create:
      return FileErrorType::CopyInCreateFile;
    case FileStage::Fill:
      return FileErrorType::CopyInCopyContent;
    case FileStage::Link:
      return FileErrorType::Symlink;
    case FileStage::Open:
    case FileStage::NotRegular:
      return FileErrorType::CopyOutOpen;
    case FileStage::TooLarge:
      return FileErrorType::CopyOutSizeExceeded;
    case FileStage::Take:
      return FileErrorType::CopyOutCopyContent;
  }
  return FileErrorType::CopyOutOpen;
}

}  // namespace

FileError explain(const sandbox::FileError& error) {
  const bool odd = error.stage == sandbox::FileStage::NotRegular;
  return {error.name, type_of(error.stage),
          odd ? error.name + " is not a regular file" : error.name + ": " + error.why};
}

void fill_status(CommandResult& result, const sandbox::Facts& facts, const verdict::Policy& policy,
                 const std::string& not_found) {
  const verdict::Judgement judgement = verdict::judge(facts, policy);
  result.status =
      static_cast<RunStatus>(judgement.code.value_or(static_cast<int>(RunStatus::InternalError)));
  result.exit_status = exit_status(facts.end);
  result.time = facts.cpu_total;
  result.memory = facts.memory_peak;
  result.run_time = facts.wall;
  result.process_peak = facts.processes_peak;
  if (const auto* end = std::get_if<sandbox::NotStarted>(&facts.end);
      end != nullptr && result.status == RunStatus::InternalError)
    result.error = why_not_started(*end, not_found);
  const bool of_files =
      result.status == RunStatus::FileError || result.status == RunStatus::OutputLimitExceeded;
  if (of_files && !result.file_errors.empty()) result.error = result.file_errors.front().message;
}

}  // namespace assay::exec
