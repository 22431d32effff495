// What to run and how far it may go. A value: the sandbox borrows the descriptors in it for one
// run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/units.h"

namespace assay::sandbox {

// Nothing set means the profile's default; the profile may set none, which is "no limit".
struct Limits {
  std::optional<Nanoseconds> cpu_time{};  // user + system of the whole tree
  std::optional<Nanoseconds> wall_time{};
  std::optional<Nanoseconds> idle_time{};  // wall time without cpu progress
  std::optional<Bytes> memory{};           // of the whole tree, by cgroup, swap off
  std::optional<Bytes> stack{};            // default: as much as memory
  std::optional<Bytes> address_space{};    // off unless asked: it breaks JVM, Go and ASan programs
  std::optional<Bytes> output{};  // of each collected stream, and of each file the program writes
  std::optional<Bytes> total_output{};    // of all collected streams together
  std::optional<Bytes> disk{};            // in each writable place
  std::optional<std::uint64_t> inodes{};  // in each writable place
  std::optional<std::uint64_t> open_files{};
  std::optional<std::uint64_t> processes{};  // threads count
  bool operator==(const Limits&) const = default;
};

// Where a stream of the program goes. A descriptor is borrowed, and the program gets that very
// file.
struct Nothing {};  // /dev/null
struct Descriptor {
  int fd = -1;
};
// Through a pipe that the sandbox drains: counted, limited, and written to `sink` or appended to
// `text`.
struct Collect {
  int sink = -1;
  std::string* text = nullptr;
};
// One end of a pipe between programs that run together: whoever names the same number shares it.
// The sandbox makes it and keeps no end, so that a reader sees the end when the last writer has
// gone.
struct Joined {
  unsigned pipe = 0;
};
using Stream = std::variant<Nothing, Descriptor, Collect, Joined>;

// A file put into the box before the run. The bytes are read from `source` at its current offset.
struct FileIn {
  std::string name{};  // relative to the work directory, or absolute inside the box
  int source = -1;
  bool executable = false;
};

// A file taken out after the run: only a regular file, never through a link, at most `limit` bytes.
struct FileOut {
  std::string name{};
  int sink = -1;
  Bytes limit = 256_MiB;
};

// A host path seen inside the box. The profile names the host prefixes that are allowed.
struct HostMount {
  std::string source{};
  std::string target{};
  bool writable = false;
  bool operator==(const HostMount&) const = default;
};

struct Spec {
  std::string profile = "default";
  std::vector<std::string> argv{};
  std::vector<std::string> environment{};  // "K=V"; replaces and adds to the profile's
  Stream input = Nothing{};
  Stream output = Nothing{};
  Stream errors = Nothing{};
  std::vector<int> more_descriptors{};  // become 3, 4, … of the program
  std::vector<FileIn> files_in{};
  std::vector<FileOut> files_out{};
  std::vector<HostMount> mounts{};
  std::vector<unsigned> cores{};  // empty: wherever the engine itself may run
  Limits limits{};
};

}  // namespace assay::sandbox
