// A host file that appears whole or not at all: written under no name, published when the run is
// over.
#pragma once

#include <string>

#include "os/fd.h"

namespace assay::cli {

class PendingFile {
 public:
  // With the caller's rights. A path that names a device or a FIFO is opened as it is.
  static Result<PendingFile> open(const std::string& path);
  PendingFile(PendingFile&&) noexcept = default;
  PendingFile& operator=(PendingFile&&) noexcept = default;
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;
  ~PendingFile();

  [[nodiscard]] int fd() const { return fd_.get(); }
  Status publish();

 private:
  PendingFile() = default;
  [[nodiscard]] std::string temporary_name() const;
  std::string path_;
  bool is_device_ = false;  // written in place
  bool nameless_ = false;   // O_TMPFILE: if we are killed, nothing is left
  os::OwnedFd fd_;
};

}  // namespace assay::cli
