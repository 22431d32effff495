// A starter that leaves all it can on what it starts: its terminal, precedence before others,
// capabilities, ignored and blocked signals, variables, open directories. As os::spawn otherwise.
#pragma once

#include <span>
#include <string>

#include "os/process.h"

namespace assay::test {

Result<os::Process> start_carelessly(const std::string& program,
                                     std::span<const std::string> arguments,
                                     std::span<const int> fds);

}  // namespace assay::test
