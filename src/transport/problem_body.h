// What is put as a problem: JSON, which stays in memory, or an archive of its files, which goes to
// the store's disk while it comes. Told by the content type, else by its first bytes.
#pragma once

#include <string>
#include <string_view>

#include "os/fd.h"
#include "service/packages.h"
#include "store/digest.h"
#include "store/store.h"
#include "transport/context.h"

namespace assay::transport {

class ProblemBody {
 public:
  ProblemBody(store::Store& store, Budget& budget, std::string_view content_type);

  bool put(std::string_view bytes);  // false: no more; trouble() may say why
  Status finish();                   // before anything below is asked

  [[nodiscard]] const Status& trouble() const { return trouble_; }
  [[nodiscard]] bool is_too_large() const { return size_ > service::kLargestPackage.count; }
  [[nodiscard]] bool is_archive() const { return file_.is_open(); }
  [[nodiscard]] const std::string& text() const { return text_; }  // of what is no archive
  bool cover(std::uint64_t more) { return lease_.cover(text_.size() + more); }
  os::OwnedFd take_archive() { return std::move(file_); }
  [[nodiscard]] const std::string& digest() const { return digest_; }

 private:
  enum class Kind { Unknown, Json, Archive };
  bool decide();  // when there is enough to tell
  bool write(std::string_view bytes);

  store::Store& store_;
  Budget::Lease lease_;
  Kind kind_ = Kind::Unknown;
  std::string text_;
  os::OwnedFd file_;
  std::uint64_t size_ = 0;  // of the archive
  store::Sha256 hash_;
  std::string digest_;
  Status trouble_{};
};

}  // namespace assay::transport
