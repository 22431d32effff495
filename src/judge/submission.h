// What somebody hands in. A checker's source is one, too.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/content.h"

namespace assay::judge {

struct SourceFile {
  std::string name{};  // may be empty when it is the only one
  std::string content{};
  bool executable = false;
};

struct Submission {
  std::string id{};
  std::string language{};  // an id or alias; none for outputs
  std::vector<SourceFile> sources{};
  std::optional<Content> archive{};  // instead: zip or tar, which may be compressed
  std::vector<std::string> extra_flags{};
};

}  // namespace assay::judge
