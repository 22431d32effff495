// A host file that appears whole or not at all: written under no name, published when the run is
// over.
#pragma once

#include <sys/stat.h>

#include <string>

#include "os/fd.h"

namespace assay::cli {

class PendingFile {
 public:
  // Whether a symbolic link stands for what it leads to, or is a name that the file may take.
  enum class Links { Followed, Replaced };

  // With the caller's rights. What a link leads to, a device, a pipe, and our own stdout or stderr
  // are written to; any other file is replaced by one with its mode.
  static Result<PendingFile> open(const std::string& path, Links links);
  PendingFile(PendingFile&&) noexcept = default;
  PendingFile& operator=(PendingFile&&) noexcept = default;
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;
  ~PendingFile();

  [[nodiscard]] int fd() const { return fd_.get(); }
  Status publish();

 private:
  enum class Way {
    Copied,    // into what is there
    Nameless,  // O_TMPFILE: if we are killed, nothing is left
    Named,     // beside the file
  };
  PendingFile() = default;
  [[nodiscard]] std::string temporary_name() const;
  Status open_target(const struct stat& found);
  Status open_temporary();
  Status copy_over();

  std::string path_;
  Way way_ = Way::Copied;
  bool empties_ = false;  // Copied: what the target holds goes first
  os::OwnedFd fd_;
  os::OwnedFd target_;  // Copied
};

}  // namespace assay::cli
