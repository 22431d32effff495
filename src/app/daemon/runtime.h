// What one running assayd has on the host besides its sockets: a directory with the profiles of its
// engine, and a store when none was named. Gone with it; what a killed one left is removed by the
// next.
#pragma once

#include <string>

#include "app/daemon/privileges.h"
#include "os/fd.h"

namespace assay::daemon {

class Runtime {
 public:
  static Result<Runtime> begin();
  Runtime(Runtime&& other) noexcept;
  Runtime& operator=(Runtime&&) = delete;
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  ~Runtime();

  // Copies the profiles and filters of an installation, and adds one that only `reader` may see.
  Status set_profiles(const std::string& from, const std::string& name, const std::string& text,
                      const Identity& reader);
  [[nodiscard]] std::string profiles() const { return directory_ + "/profiles"; }

  // A copy of a file for boxes, with its owner and rights. Nobody else can list its name, or guess
  // it: where the file comes from they could not see it either.
  [[nodiscard]] Result<std::string> keep_copy(const std::string& path) const;

  // An empty directory in memory (or else on disk) for one user alone.
  [[nodiscard]] Result<std::string> make_store(const Identity& owner) const;

  void disown();  // in a child: the parent removes it all

 private:
  Runtime() = default;
  std::string name_;
  std::string directory_;
  os::OwnedFd lock_;
};

}  // namespace assay::daemon
