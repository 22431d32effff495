// Small looks at the host that the checks of `assay doctor` share.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "app/cli/doctor.h"

namespace assay::cli::checkup {

// The first line of a file, or nothing when it cannot be read.
std::optional<std::string> first_line(const std::string& path);

std::string words_of(int error);  // what errno means

std::string set_sysctl(const std::string& assignment);  // now, and at every boot
std::string boot_with(const std::string& parameter);

// What a program said on stdout and stderr within the time it had, and whether it ended well.
struct Said {
  std::string text{};
  bool in_time = false;
  int status = 0;  // as waitpid gives it; only when in time
};

// Reads a pipe until every writer has gone or the time is over.
Said listen(int pipe, std::chrono::milliseconds patience);
// Starts a program without input. It is killed when its time is over.
Said ask(const std::string& program, const std::string& argument,
         std::chrono::milliseconds patience);

}  // namespace assay::cli::checkup
