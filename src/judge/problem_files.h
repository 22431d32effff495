// The files of a problem by their paths, wherever they lie: in a directory (native_files.h), or in
// an archive that was unpacked (unpacked_files.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "judge/content.h"

namespace assay::judge {

class ProblemFiles {
 public:
  virtual ~ProblemFiles() = default;

  // A regular file. An InvalidRequest with ENOENT: there is none.
  [[nodiscard]] virtual Result<Content> file(const std::string& path) const = 0;
  // The files that fit "folder/*.in", with 2 before 10. The one '*' is in the last part.
  [[nodiscard]] virtual Result<std::vector<std::string>> matching(
      const std::string& pattern) const = 0;
  // For people: one of the files, and all of them together.
  [[nodiscard]] virtual std::string full_name(const std::string& path) const = 0;
  [[nodiscard]] virtual std::string whole() const = 0;

  // Of at most so many bytes. Of all texts together there are no more than the whole may have: the
  // same file may be asked for again and again.
  [[nodiscard]] Result<std::string> text(const std::string& path, Bytes most) const;

 protected:
  explicit ProblemFiles(Bytes most_texts) : most_texts_(most_texts) {}
  // Not too long: a pattern's folder is written before the name of every file that fits.
  static Status check_length(const std::string& path);
  ProblemFiles(ProblemFiles&&) = default;
  ProblemFiles& operator=(ProblemFiles&&) = default;

 private:
  Bytes most_texts_;
  mutable Bytes texts_{};
};

// Whether "2" comes before "10": runs of digits are numbers.
bool comes_before(std::string_view a, std::string_view b);

// "tests/*.in" in its parts.
struct FilePattern {
  std::string folder{};  // with its last slash, or empty
  std::string before{}, after{};

  static Result<FilePattern> parse(const std::string& pattern);
  [[nodiscard]] bool fits(std::string_view name) const;  // the last part of a path
};

}  // namespace assay::judge
