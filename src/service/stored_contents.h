// Contents from the store and from the host.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "service/contents.h"
#include "store/store.h"

namespace assay::service {

constexpr const char* kTooManyFiles = "too many files of submissions and problems are open";

class StoredContents final : public Contents {
 public:
  using OpenHostFile = std::function<Result<os::OwnedFd>(const std::string& path)>;
  static constexpr Bytes kInMemory = 64_KiB;  // of one text; a larger one becomes a file

  // At most so many files are open at a time, until the last content that names them is gone; one
  // more is Busy. Connections, boxes and other judgings need descriptors, too: no more than half of
  // what this process may have.
  StoredContents(store::Store& store, OpenHostFile open)
      : StoredContents(store, std::move(open), most_files()) {}
  StoredContents(store::Store& store, OpenHostFile open, std::size_t most)
      : store_(store), open_(std::move(open)), most_(most) {}

  Result<judge::Content> stored(const std::string& file_id) override;
  Result<judge::Content> host_file(const std::string& path) override;
  Result<judge::Content> text(std::string text) override;
  Result<judge::Content> add_text(std::string text, TextFile& into) override;
  std::shared_ptr<const os::OwnedFd> adopt(os::OwnedFd file) override;

  [[nodiscard]] std::size_t open_files() const { return *count_; }

 private:
  using Count = std::shared_ptr<std::atomic<std::size_t>>;
  class Place;  // of one open file
  struct Held;
  static std::size_t most_files();
  [[nodiscard]] Result<Place> place() const;
  static std::shared_ptr<const os::OwnedFd> hold(Place place, os::OwnedFd file);

  store::Store& store_;
  const OpenHostFile open_;
  const std::size_t most_;
  const Count count_ = std::make_shared<std::atomic<std::size_t>>(0);  // files may outlive us
};

}  // namespace assay::service
