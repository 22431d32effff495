#include "exec/result.h"

#include <array>

namespace assay::exec {
namespace {

constexpr std::array<std::string_view, 14> kStatuses{"Invalid",
                                                     "Accepted",
                                                     "Wrong Answer",
                                                     "Partially Correct",
                                                     "Memory Limit Exceeded",
                                                     "Time Limit Exceeded",
                                                     "Output Limit Exceeded",
                                                     "File Error",
                                                     "Nonzero Exit Status",
                                                     "Signalled",
                                                     "Dangerous Syscall",
                                                     "Judgement Failed",
                                                     "Invalid Interaction",
                                                     "Internal Error"};

constexpr std::array<std::string_view, 10> kFileErrors{
    "CopyInOpenFile",        "CopyInCreateFile",
    "CopyInCopyContent",     "CopyOutOpen",
    "CopyOutNotRegularFile", "CopyOutSizeExceeded",
    "CopyOutCreateFile",     "CopyOutCopyContent",
    "CollectSizeExceeded",   "Symlink"};

}  // namespace

std::string_view name_of(RunStatus status) {
  return kStatuses.at(static_cast<std::size_t>(status));
}

std::string_view name_of(FileErrorType type) {
  return kFileErrors.at(static_cast<std::size_t>(type));
}

}  // namespace assay::exec
