// The files of a problem that came as an archive.
#pragma once

#include <map>

#include "judge/problem_files.h"

namespace assay::judge {

class UnpackedFiles final : public ProblemFiles {
 public:
  using Files = std::map<std::string, Content, std::less<>>;  // by their paths in the archive

  // Where all of them lie in one folder, as when somebody packed the problem's directory, that is
  // the problem's. What a Mac adds to every archive is left out.
  explicit UnpackedFiles(Files files);

  [[nodiscard]] Result<Content> file(const std::string& path) const override;
  [[nodiscard]] Result<std::vector<std::string>> matching(
      const std::string& pattern) const override;
  [[nodiscard]] std::string full_name(const std::string& path) const override { return path; }
  [[nodiscard]] std::string whole() const override { return "the package"; }

 private:
  Files files_;
};

}  // namespace assay::judge
