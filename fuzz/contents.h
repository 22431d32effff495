// Files that requests name: some are there and some are not.
#pragma once

#include "service/contents.h"

namespace assay::fuzz {

class SomeContents final : public service::Contents {
 public:
  Result<judge::Content> stored(const std::string& id) override { return found(id); }
  Result<judge::Content> host_file(const std::string& path) override { return found(path); }
  Result<judge::Content> text(std::string text) override {
    return judge::Content{.text = std::move(text)};
  }

 private:
  static Result<judge::Content> found(const std::string& name) {
    if (name.size() % 4 == 3) return invalid("there is no such file");
    return judge::Content{.text = name};
  }
};

}  // namespace assay::fuzz
