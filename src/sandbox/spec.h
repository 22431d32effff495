// What to run and how far it may go. A value: the sandbox borrows the descriptors in it for one
// run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/units.h"
#include "os/fd.h"

namespace assay::sandbox {

// Nothing set means the profile's default; the profile may set none, which is "no limit".
struct Limits {
  std::optional<Nanoseconds> cpu_time{};  // user + system of the whole tree
  std::optional<Nanoseconds> wall_time{};
  std::optional<Nanoseconds> idle_time{};  // wall time without cpu progress
  std::optional<Bytes> memory{};           // of the whole tree, by cgroup, swap off
  std::optional<Bytes> stack{};            // default: as much as memory
  std::optional<Bytes> address_space{};    // off unless asked: it breaks JVM, Go and ASan programs
  std::optional<Bytes> data_segment{};     // off unless asked
  std::optional<Bytes> output{};  // of each collected stream, and of each file the program writes
  std::optional<Bytes> total_output{};    // of all collected streams together
  std::optional<Bytes> disk{};            // in each writable place
  std::optional<std::uint64_t> inodes{};  // in each writable place
  std::optional<std::uint64_t> open_files{};
  std::optional<std::uint64_t> processes{};     // threads count
  std::optional<std::uint64_t> cpu_permille{};  // of one core, at any time; needs a cpu controller
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
  std::optional<Bytes> limit{};  // of this stream; default: Limits::output
  bool discard_rest = false;     // past the limit the program goes on and the bytes are lost
  // With a text and no sink: what is longer than `most_text` is not in the text but all of it in
  // `*overflow`, a file in memory that is made then. Most outputs are short, and no file is made.
  os::OwnedFd* overflow = nullptr;
  Bytes most_text{};
};
// A regular file in the box that the program can see and whose name it may take away; `*file` is it
// afterwards, open for reading and writing, whatever became of the name.
struct BoxFile {
  std::string name{};
  os::OwnedFd* file = nullptr;
};
// What a lower descriptor of the same program is, once more.
struct Same {
  unsigned descriptor = 0;
};
struct Closed {};  // the program starts without it; only after the last that it has
// One end of a pipe between programs that run together: whoever names the same number shares it.
// The sandbox makes it and keeps no end, so that a reader sees the end when the last writer has
// gone.
struct Joined {
  enum class Side { ByDescriptor, Reads, Writes };  // by default 0 reads and all others write
  unsigned pipe = 0;
  Side side = Side::ByDescriptor;
};
// A descriptor that is the program's alone: our copy is closed once the program has its own.
struct Handed {
  os::OwnedFd* file = nullptr;
};
using Stream = std::variant<Nothing, Descriptor, Collect, Joined, Handed, BoxFile, Same, Closed>;

// A file put into the box before the run. The bytes are read from `source` at its current offset,
// or they are `content`, which is borrowed.
struct FileIn {
  std::string name{};  // relative to the work directory, or absolute inside the box
  int source = -1;
  bool executable = false;
  std::string_view content{};
  std::optional<unsigned> mode{};  // instead of 0755 or 0644
};
struct DirectoryIn {
  std::string name{};
  unsigned mode = 0755;
};
struct LinkIn {  // made after all files
  std::string name{};
  std::string target{};
};

// A file taken out after the run: only a regular file, never through a link, at most `limit` bytes.
struct FileOut {
  std::string name{};
  int sink = -1;
  Bytes limit = 256_MiB;
  std::string* text = nullptr;  // instead of `sink`
  bool truncate =
      false;  // of a larger one the first bytes are taken, and it is an error all the same
};

// What there is below a directory of the box after the run: regular files, never through a link.
struct FoundFile {
  std::string name{};  // its path below the directory
  os::OwnedFd file{};  // TreeOut::open only, for reading; gone with the next run in that box
};
struct TreeOut {
  std::string directory = ".";  // relative to the work directory, or absolute inside the box
  std::vector<FoundFile>* found = nullptr;
  std::size_t most = 10'000;  // no more are looked for
  bool open = false;
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
  std::vector<Stream> more_streams{};     // become 3, 4, … of the program
  std::vector<std::string> candidates{};  // paths to try for the program; empty: as execvp would
  // What an executable (ELF) consists of, borrowed: it is run from memory that this run alone has,
  // and is in no directory of the box. Where the program would own that memory (no isolation, a box
  // with a single id), it is put in as argv[0].
  std::string_view program{};
  bool terminal = false;         // descriptor 0 becomes its controlling terminal
  bool own_session = false;      // it leads a session; a kill at a limit is then some ms later
  bool may_raise_stack = false;  // as far as it has memory; else its stack limit is a hard one
  unsigned umask = 022;
  std::vector<DirectoryIn> directories_in{};
  std::vector<FileIn> files_in{};
  std::vector<LinkIn> links_in{};
  std::vector<FileOut> files_out{};
  std::vector<TreeOut> trees_out{};
  std::vector<HostMount> mounts{};
  std::vector<unsigned> cores{};  // empty: wherever the engine itself may run
  Nanoseconds start_gap{};        // of a group: so long after the start of the one before it
  Limits limits{};
  // Idle time ends it only while all programs of its group are past theirs: one that waits for
  // another that computes is not idle.
  bool idle_together = false;
};

}  // namespace assay::sandbox
