// Bytes of a problem or a submission: a text, or a file that somebody opened with the right to.
#pragma once

#include <memory>
#include <string>

#include "base/units.h"
#include "os/fd.h"

namespace assay::judge {

struct Content {
  std::string text{};
  std::shared_ptr<const os::OwnedFd> file{};  // instead; its offset is not used
  std::string path{};                         // of the file, where it is the host's and stays there
};

// A file of its own at its start that nobody can change: what a program gets cannot be used to
// reach the original, nor another reader of it.
Result<os::OwnedFd> sealed(const Content& content);

// To be read by us: the file itself, or one with the text. Borrowed from `content` or `made`.
Result<int> readable(const Content& content, os::OwnedFd& made);

// All of it in memory; one that is larger than `most` is an InvalidRequest.
Result<std::string> whole(const Content& content, Bytes most);

Result<os::OwnedFd> nameless_file();  // empty, in memory, to write into

Status seal(int fd);  // of nameless_file(): nobody can change it any more, and it is at its start

Status rewind(int fd);
Result<Bytes> size_of(int fd);

// All of a file; of one larger than `most` its first and last bytes, and a line between them that
// says how much is missing.
Result<std::string> head_and_tail(int fd, Bytes most);

}  // namespace assay::judge
