// The directory that `sandbox` works in: its files go into the box, and what a program that may
// write made of them comes back.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "os/fd.h"
#include "sandbox/spec.h"

namespace assay::noj {

class WorkPlace {
 public:
  // Opens every regular file below `path` as the caller. Links and other things are left out, as
  // are the files that the command line names.
  static Result<WorkPlace> open(const std::string& path, std::span<const int> left_out);

  void put_into(sandbox::Spec& spec) const;

  // In the process without privilege: what is new or has changed becomes one sealed text.
  [[nodiscard]] Status note_changes(const std::vector<sandbox::FoundFile>& found, int into) const;
  // With the caller's rights again. Every name is checked as if a stranger had written it, and no
  // link below the directory is followed.
  Status apply_changes(int notes) const;

 private:
  struct Entry {
    std::string name{};
    os::OwnedFd file{};
    bool executable = false;
  };
  Status add_below(const std::string& below, std::span<const int> left_out);
  [[nodiscard]] Status write_back(const std::string& name, int notes, std::uint64_t offset,
                                  std::uint64_t size) const;

  os::OwnedFd directory_;
  std::vector<Entry> files_;
  std::vector<std::string> directories_;
};

}  // namespace assay::noj
