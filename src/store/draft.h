// A file that is being written and has no place in the store yet. Without a name where the file
// system can do that, else with one in the session's directory; either way it is gone when nobody
// gives it a place.
#pragma once

#include <string>

#include "os/fd.h"
#include "store/layout.h"

namespace assay::store {

// Nobody writes a blob, not even through /proc/self/fd; that the first descriptor may is no matter
// of the mode. Who can read it, the directory above decides.
constexpr unsigned kBlobMode = 0444;

class Draft {
 public:
  static Result<Draft> make(const Layout& layout);
  Draft(Draft&& other) noexcept;
  Draft& operator=(Draft&& other) noexcept;
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft();

  [[nodiscard]] int fd() const { return file_.get(); }
  [[nodiscard]] Status place(int directory, const std::string& name) const;  // one more name for it
  os::OwnedFd release();  // from now on it has none at all

 private:
  Draft() = default;
  os::OwnedFd file_{};
  int session_ = -1;
  std::string name_{};
};

// One more name for a file that never had one; EEXIST when that name is taken.
Status place_unnamed(int fd, int directory, const std::string& name);

}  // namespace assay::store
