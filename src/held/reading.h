// What one `wait` tells about a process, and how it is written into the `status` pipe. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/units.h"
#include "sandbox/facts.h"

namespace assay::held {

// Time adds up over the life of the process; memory is that of the moment, and 0 after the end. A
// section lies between two waits.
struct Reading {
  Nanoseconds cpu{};  // of the whole tree; never less than in an earlier reading
  Nanoseconds wall{};
  Bytes memory_now{};
  Bytes memory_peak{};
  std::uint64_t section = 0;  // how many waits came before
  Nanoseconds section_cpu{};
  std::optional<Bytes> section_peak{};  // none: this kernel cannot measure it
  bool running = true;
  bool forced = false;                    // it ended because termination was asked for
  std::string text = "running normally";  // one line
  std::optional<sandbox::Facts> facts{};  // of a process that ran and is over
};

// "exited normally", "interrupted by signal 11 - SIGSEGV - Segmentation fault", …
std::string describe_end(const sandbox::Facts& facts);
bool was_forced(const sandbox::Facts& facts);

// For a process that never came to run: what kept it, as one line of bounded length.
std::string describe_no_start(std::string_view why);

// Microseconds, bytes, text: three lines, each with its newline, less than PIPE_BUF together.
std::string status_lines(const Reading& reading);

}  // namespace assay::held
