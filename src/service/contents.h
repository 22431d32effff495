// Where bytes come from that a client names instead of sending them.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "judge/content.h"

namespace assay::service {

// The large texts of one request, one after the other: a file for each would be a descriptor for
// each.
struct TextFile {
  std::shared_ptr<const os::OwnedFd> file{};  // null: none was large so far
  std::uint64_t end = 0;
};

class Contents {
 public:
  virtual ~Contents() = default;
  virtual Result<judge::Content> stored(const std::string& file_id) = 0;
  virtual Result<judge::Content> host_file(const std::string& path) = 0;  // allowed prefixes only
  virtual Result<judge::Content> text(std::string text) = 0;  // as sent; a large one leaves memory
  // The same, and a large one goes to the end of `into`.
  virtual Result<judge::Content> add_text(std::string text, TextFile& into);
  // One that was opened already: counted with the others where they are counted, never refused.
  virtual std::shared_ptr<const os::OwnedFd> adopt(os::OwnedFd file);
};

constexpr Bytes kLargestSource = 16_MiB;
constexpr Bytes kMostSourceBytes = 64_MiB;          // of one request
constexpr std::size_t kMostFilesOfARequest = 8192;  // that are different

// The contents as one request sees them. A test is some bytes there, and naming a file costs as
// many: what is named a thousand times is opened once.
class OwnContents final : public Contents {
 public:
  explicit OwnContents(Contents& all) : all_(all) {}

  Result<judge::Content> stored(const std::string& file_id) override;
  Result<judge::Content> host_file(const std::string& path) override;
  Result<judge::Content> text(std::string text) override;
  std::shared_ptr<const os::OwnedFd> adopt(os::OwnedFd file) override;

 private:
  using Opened = std::map<std::string, judge::Content, std::less<>>;
  template <typename Open>
  Result<judge::Content> once(Opened& opened, const std::string& name, const Open& open);

  Contents& all_;
  Opened stored_, on_host_;
  TextFile texts_;
};

// What one request takes of the contents. Its sources are in our memory for as long as its order
// lives, and a short request may name a large file a thousand times: they are counted before they
// are read.
class Supply {
 public:
  // Whether so many bytes of sources may be in memory now.
  using Cover = std::function<bool(std::uint64_t bytes)>;
  explicit Supply(Contents& contents, Cover cover = {})
      : contents_(contents), cover_(std::move(cover)) {}

  [[nodiscard]] Contents& contents() { return contents_; }
  // All of it. Too much is an InvalidRequest; too much for now, with that of others, is Busy.
  Result<std::string> source(const judge::Content& content);
  Status count_source(Bytes size);  // of one that is in memory already
  [[nodiscard]] Bytes sources() const { return sources_; }

 private:
  OwnContents contents_;
  Cover cover_;
  Bytes sources_{};
};

}  // namespace assay::service
