// The programs that the benches run: small, without libc, carried by this binary (src/app/guests).
#pragma once

#include <string>
#include <vector>

#include "os/fd.h"
#include "sandbox/spec.h"

namespace assay::cli {

enum class Guest { Tiny, Spin, Crash, Work, Burn, Talk, Hostile, Roam };

// A guest as a file of the host, for as long as the object lives: bare runs start it, boxes get a
// copy.
class GuestFile {
 public:
  static Result<GuestFile> make(Guest guest);
  GuestFile(GuestFile&& other) noexcept
      : path_(std::exchange(other.path_, {})), image_(std::move(other.image_)) {}
  GuestFile& operator=(GuestFile&&) = delete;
  GuestFile(const GuestFile&) = delete;
  GuestFile& operator=(const GuestFile&) = delete;
  ~GuestFile();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] int image() const { return image_.get(); }
  [[nodiscard]] std::vector<std::string> bare(std::vector<std::string> arguments = {}) const;
  // Put into the box as a file, then started.
  [[nodiscard]] sandbox::Spec boxed(std::vector<std::string> arguments = {}) const;
  // Started from a descriptor: no file is put in.
  [[nodiscard]] sandbox::Spec boxed_by_descriptor() const;

 private:
  GuestFile(std::string path, os::OwnedFd image)
      : path_(std::move(path)), image_(std::move(image)) {}
  std::string path_;
  os::OwnedFd image_;  // readable
};

}  // namespace assay::cli
