// Names of files in the box, as clients write them.
#pragma once

#include <string>

#include "exec/result.h"

namespace assay::exec {

// What the kernel would say (errno) to whoever makes or reads a regular file of that name in any
// box, 0: nothing. Such a name is the command's file error; to the sandbox it is a mistake of ours.
int why_no_file(const std::string& name);

// The same, told to the client.
FileError no_such_name(const std::string& name, FileErrorType type, int error);

}  // namespace assay::exec
