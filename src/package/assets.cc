#include "package/assets.h"

namespace assay::package {

Result<judge::Content> DirectoryAssets::open(const std::string& path) const {
  auto found = directory_.file(path);
  if (found) return found;
  const std::string last = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  for (const std::string& place : {last, "assets/" + last})
    if (auto other = directory_.file(place)) return other;
  return found;
}

}  // namespace assay::package
