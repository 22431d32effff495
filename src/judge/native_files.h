// The files of a problem's directory. Nothing outside of it is reached, whatever links are in it.
#pragma once

#include "judge/problem_files.h"

namespace assay::judge {

class ProblemDirectory final : public ProblemFiles {
 public:
  static Result<ProblemDirectory> open(const std::string& path);

  [[nodiscard]] Result<Content> file(const std::string& path) const override;
  [[nodiscard]] Result<std::vector<std::string>> matching(
      const std::string& pattern) const override;
  [[nodiscard]] std::string full_name(const std::string& path) const override;
  [[nodiscard]] std::string whole() const override { return "'" + path_ + "'"; }

 private:
  ProblemDirectory(std::string path, os::OwnedFd directory)
      : ProblemFiles(1_GiB), path_(std::move(path)), directory_(std::move(directory)) {}
  [[nodiscard]] Result<os::OwnedFd> open_below(const std::string& path, int flags) const;

  std::string path_;
  os::OwnedFd directory_;
};

}  // namespace assay::judge
