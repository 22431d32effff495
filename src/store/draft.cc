#include "store/draft.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/id.h"

namespace assay::store {
namespace {

std::string reopen_path(int fd) {
  return "/proc/self/fd/" + std::to_string(fd);
}

}  // namespace

Result<Draft> Draft::make(const Layout& layout) {
  Draft draft;
  if (layout.drafts() == Drafts::Unnamed) {
    draft.file_ = TRY(os::open_at(layout.session(), ".", O_TMPFILE | O_RDWR, kBlobMode));
    return draft;
  }
  std::string name = TRY(make_id());
  draft.file_ = TRY(os::open_at(layout.session(), name, O_RDWR | O_CREAT | O_EXCL, kBlobMode));
  draft.name_ = std::move(name);
  draft.session_ = layout.session();
  return draft;
}

Draft::Draft(Draft&& other) noexcept
    : file_(std::move(other.file_)),
      session_(other.session_),
      name_(std::exchange(other.name_, {})) {}

Draft& Draft::operator=(Draft&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(session_, other.session_);
  std::swap(name_, other.name_);
  return *this;
}

Draft::~Draft() {
  if (!name_.empty()) ::unlinkat(session_, name_.c_str(), 0);
}

os::OwnedFd Draft::release() {
  if (!name_.empty()) ::unlinkat(session_, std::exchange(name_, {}).c_str(), 0);
  return std::move(file_);
}

Status Draft::place(int directory, const std::string& name) const {
  if (name_.empty()) return place_unnamed(file_.get(), directory, name);
  if (::linkat(session_, name_.c_str(), directory, name.c_str(), 0) < 0)
    return system_error("link a draft into the store");
  return {};
}

Status place_unnamed(int fd, int directory, const std::string& name) {
  // Without the detour through /proc this needs CAP_DAC_READ_SEARCH, or Linux 6.10.
  if (::linkat(fd, "", directory, name.c_str(), AT_EMPTY_PATH) == 0) return {};
  if (errno == EEXIST) return system_error("link a file into the store");
  if (::linkat(AT_FDCWD, reopen_path(fd).c_str(), directory, name.c_str(), AT_SYMLINK_FOLLOW) < 0)
    return system_error("link a file into the store");
  return {};
}

}  // namespace assay::store
