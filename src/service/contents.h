// Where bytes come from that a client names instead of sending them.
#pragma once

#include <functional>
#include <string>

#include "judge/content.h"

namespace assay::service {

class Contents {
 public:
  virtual ~Contents() = default;
  virtual Result<judge::Content> stored(const std::string& file_id) = 0;
  virtual Result<judge::Content> host_file(const std::string& path) = 0;  // allowed prefixes only
  virtual Result<judge::Content> text(std::string text) = 0;  // as sent; a large one leaves memory
};

constexpr Bytes kLargestSource = 16_MiB;
constexpr Bytes kMostSourceBytes = 64_MiB;  // of one request

// What one request takes of the contents. Its sources are in our memory for as long as its order
// lives, and a short request may name a large file a thousand times: they are counted before they
// are read.
class Supply {
 public:
  // Whether so many bytes of sources may be in memory now.
  using Cover = std::function<bool(std::uint64_t bytes)>;
  explicit Supply(Contents& contents, Cover cover = {})
      : contents_(contents), cover_(std::move(cover)) {}

  [[nodiscard]] Contents& contents() const { return contents_; }
  // All of it. Too much is an InvalidRequest; too much for now, with that of others, is Busy.
  Result<std::string> source(const judge::Content& content);
  Status count_source(Bytes size);  // of one that is in memory already
  [[nodiscard]] Bytes sources() const { return sources_; }

 private:
  Contents& contents_;
  Cover cover_;
  Bytes sources_{};
};

}  // namespace assay::service
