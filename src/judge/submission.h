// What somebody hands in. A checker's source is one, too.
#pragma once

#include <string>
#include <vector>

namespace assay::judge {

struct SourceFile {
  std::string name{};  // may be empty when it is the only one
  std::string content{};
};

struct Submission {
  std::string id{};
  std::string language{};  // an id or alias
  std::vector<SourceFile> sources{};
  std::vector<std::string> extra_flags{};
};

}  // namespace assay::judge
