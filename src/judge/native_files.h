// The files of a problem's directory. Nothing outside of it is reached, whatever links are in it.
#pragma once

#include <string>
#include <vector>

#include "base/units.h"
#include "judge/content.h"

namespace assay::judge {

class ProblemDirectory {
 public:
  static Result<ProblemDirectory> open(const std::string& path);

  // A regular file, by its path below the directory.
  [[nodiscard]] Result<Content> file(const std::string& path) const;
  [[nodiscard]] Result<std::string> text(const std::string& path, Bytes most) const;

  // The files that fit "folder/*.in", with 2 before 10. The one '*' is in the last part.
  [[nodiscard]] Result<std::vector<std::string>> matching(const std::string& pattern) const;

 private:
  ProblemDirectory(std::string path, os::OwnedFd directory)
      : path_(std::move(path)), directory_(std::move(directory)) {}
  [[nodiscard]] Result<os::OwnedFd> open_below(const std::string& path, int flags) const;

  std::string path_;
  os::OwnedFd directory_;
};

// Whether "2" comes before "10": runs of digits are numbers.
bool comes_before(std::string_view a, std::string_view b);

}  // namespace assay::judge
