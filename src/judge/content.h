// Bytes of a problem or a submission: a text, or a file that somebody opened with the right to.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/units.h"
#include "os/fd.h"

namespace assay::judge {

struct FilePart {
  std::uint64_t offset = 0, size = 0;
};

struct Content {
  std::string text{};
  std::shared_ptr<const os::OwnedFd> file{};  // instead; its offset is not used
  std::string path{};                         // of the file, where it is the host's and stays there
  std::optional<FilePart> part{};             // of the file; none: all of it
};

// A file of its own at its start that nobody can change: what a program gets cannot be used to
// reach the original, nor another reader of it.
Result<os::OwnedFd> sealed(const Content& content);

// All of it in memory; one that is larger than `most` is an InvalidRequest.
Result<std::string> whole(const Content& content, Bytes most);

Result<os::OwnedFd> nameless_file();  // empty, in memory, to write into

Status seal(int fd);  // of nameless_file(): nobody can change it any more, and it is at its start

Status rewind(int fd);
Result<Bytes> size_of(int fd);
Result<Bytes> size_of(const Content& content);

// All of a file; of one larger than `most` its first and last bytes, and a line between them that
// says how much is missing.
Result<std::string> head_and_tail(int fd, Bytes most);
Result<std::string> head_and_tail(const Content& content, Bytes most);

}  // namespace assay::judge
