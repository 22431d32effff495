// Where the files of a problem come from that its description only names: a directory now, an
// object store where there are many machines.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "base/units.h"
#include "judge/problem_files.h"

namespace assay::package {

class AssetSource {
 public:
  virtual ~AssetSource() = default;
  // An InvalidRequest: there is no such file.
  [[nodiscard]] virtual Result<judge::Content> open(const std::string& path) const = 0;
};

// Below a problem's directory: by the path as it is, else by its last part, as whoever copied the
// files out of a store keeps them.
class DirectoryAssets final : public AssetSource {
 public:
  explicit DirectoryAssets(const judge::ProblemFiles& directory) : directory_(directory) {}
  [[nodiscard]] Result<judge::Content> open(const std::string& path) const override;

 private:
  const judge::ProblemFiles& directory_;
};

}  // namespace assay::package
