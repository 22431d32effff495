// Languages, profiles and policies as files: <directory>/<name>.toml.
#pragma once

#include <array>

#include "config/source.h"

namespace assay::config {

struct Directories {
  std::string languages{}, profiles{}, policies{};
};

class Files : public Source {
 public:
  explicit Files(Directories directories);

  // By what the file system says about every file: when it was changed, its size, and which file it
  // is. A file that is being written is read when it has been, since that changes it again.
  Result<std::string> version() override;
  Result<std::vector<EntryId>> list() override;
  Result<std::string> text(const EntryId& id) override;
  [[nodiscard]] std::string place(const EntryId& id) const override;

 private:
  std::array<std::string, kKinds> directories_;
};

}  // namespace assay::config
