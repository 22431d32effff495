#include "judge/executable.h"

#include <sys/stat.h>

#include <string>

#include "os/file.h"

namespace assay::judge {

Executable::Loan& Executable::Loan::operator=(Loan&& other) noexcept {
  if (this == &other) return *this;
  give_back();
  owner_ = std::move(other.owner_);
  file_ = std::move(other.file_);
  return *this;
}

void Executable::Loan::give_back() noexcept {
  if (!owner_ || file_.get() < 0) return;
  const std::scoped_lock lock(owner_->mutex_);
  owner_->idle_.push_back(std::move(file_));
}

os::OwnedFd Executable::take_idle() {
  const std::scoped_lock lock(mutex_);
  if (idle_.empty()) return {};
  os::OwnedFd file = std::move(idle_.back());
  idle_.pop_back();
  return file;
}

Executable::Loan Executable::lend(const std::shared_ptr<Executable>& executable,
                                  std::string_view name, std::string_view content) {
  os::OwnedFd file = executable->take_idle();
  if (file.get() >= 0) return {executable, std::move(file)};
  auto made = os::sealed_memory(std::string(name).c_str(), content, true);
  // Memory that can be written to by all could be given attributes, which the next would find.
  if (!made || ::fchmod(made->get(), 0555) != 0) return {};
  return {executable, std::move(*made)};
}

}  // namespace assay::judge
