// Contents from the store and from the host.
#pragma once

#include <functional>

#include "service/contents.h"
#include "store/store.h"

namespace assay::service {

class StoredContents final : public Contents {
 public:
  using OpenHostFile = std::function<Result<os::OwnedFd>(const std::string& path)>;
  static constexpr Bytes kInMemory = 64_KiB;  // of one text; a larger one becomes a file

  StoredContents(store::Store& store, OpenHostFile open) : store_(store), open_(std::move(open)) {}

  Result<judge::Content> stored(const std::string& file_id) override;
  Result<judge::Content> host_file(const std::string& path) override;
  Result<judge::Content> text(std::string text) override;

 private:
  store::Store& store_;
  OpenHostFile open_;
};

}  // namespace assay::service
