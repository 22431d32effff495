// One running engine on this host: its name, its block of user ids, and a lock that dies with it.
//
// Everything the engine makes carries the name. The lock file lives in the runtime directory;
// whoever can take the lock of a file found there knows that its engine is gone and removes what
// that one left. Two engines never share a name or an id.
#pragma once

#include <cstdint>
#include <string>

#include "os/fd.h"

namespace assay::sandbox::warden {

constexpr std::uint32_t kIdsPerInstance = 1024;  // two per box
constexpr std::uint32_t kIdsOfAUser = 65536;     // what /etc/subuid usually gives

class Instance {
 public:
  // Cleans up after dead engines first.
  static Result<Instance> begin();
  Instance(Instance&&) noexcept = default;
  Instance& operator=(Instance&&) noexcept = default;
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  ~Instance();

  // While this is held, no other engine of this user begins, ends or cleans up.
  [[nodiscard]] Result<os::OwnedFd> keep_others_out() const;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::uint32_t first_id() const { return first_id_; }
  [[nodiscard]] std::uint32_t block() const { return block_; }
  [[nodiscard]] std::string stage() const { return directory_ + "/stage"; }
  [[nodiscard]] std::string work_directory(unsigned box) const;  // isolation "none" only

 private:
  Instance() = default;
  std::string directory_;
  std::string name_;
  std::string lock_path_;
  std::uint32_t first_id_ = 0;
  std::uint32_t block_ = 0;
  os::OwnedFd lock_;
};

std::string runtime_directory();

}  // namespace assay::sandbox::warden
