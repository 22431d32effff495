// Files that a command line names to be read.
#pragma once

#include <string>

#include "os/fd.h"

namespace assay::cli {

// One that has an end.
Result<os::OwnedFd> open_source(const std::string& path);
Result<std::string> read_source_file(const std::string& path);

}  // namespace assay::cli
