// A host file that a stream of the program goes to, and which file that is.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "os/fd.h"

namespace assay::cli {

// Which file a path or a descriptor means, whatever it is called: two outputs into one file would
// spoil each other. One that is not there yet is a name in a directory.
struct FileIdentity {
  dev_t device = 0;
  ino_t number = 0;
  std::string name{};
  bool operator==(const FileIdentity&) const = default;
};
// Of regular files only: devices and pipes take what comes from anybody.
std::optional<FileIdentity> identity_of(int fd);
std::optional<FileIdentity> identity_of(const std::string& path);

// A file that a stream goes to. Until the run begins nothing is lost: the file is as it was, or
// gone again if we made it.
class StreamFile {
 public:
  static Result<StreamFile> open(const std::string& path);
  StreamFile(StreamFile&&) noexcept = default;
  StreamFile& operator=(StreamFile&&) noexcept = default;
  StreamFile(const StreamFile&) = delete;
  StreamFile& operator=(const StreamFile&) = delete;
  ~StreamFile();

  [[nodiscard]] int fd() const { return fd_.get(); }
  Status begin();

 private:
  StreamFile() = default;
  std::string path_;
  bool made_ = false;
  os::OwnedFd fd_;
};

}  // namespace assay::cli
