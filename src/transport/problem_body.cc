#include "transport/problem_body.h"

#include <array>

#include "os/file.h"
#include "transport/message.h"

namespace assay::transport {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kTelling = 512;  // bytes of a tar's first header

// zip, gzip, bzip2, xz, zstd; a tar says so in its header. JSON begins as no archive does.
bool looks_like_an_archive(std::string_view bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && bytes[first] == '{') return false;
  constexpr std::array kMagics{"PK\3\4"sv,
                               "PK\5\6"sv,
                               "\x1f\x8b"sv,
                               "BZh"sv,
                               "\xfd"
                               "7zXZ\0"sv,
                               "\x28\xb5\x2f\xfd"sv};
  for (const std::string_view magic : kMagics)
    if (bytes.starts_with(magic)) return true;
  return bytes.size() > 262 && bytes.substr(257, 5) == "ustar"sv;
}

// Whatever follows the type, such as a character set, does not matter here.
std::string_view type_in(std::string_view content_type) {
  const std::string_view type = content_type.substr(0, content_type.find(';'));
  return type.substr(0, type.find_last_not_of(" \t") + 1);
}

}  // namespace

ProblemBody::ProblemBody(store::Store& store, Budget& budget, std::string_view content_type)
    : store_(store), lease_(budget) {
  const std::string_view type = type_in(content_type);
  if (same_word(type, "application/json")) kind_ = Kind::Json;
  for (const std::string_view each :
       {"application/zip"sv, "application/x-zip-compressed"sv, "application/x-tar"sv,
        "application/gzip"sv, "application/x-gzip"sv, "application/x-gtar"sv,
        "application/x-bzip2"sv, "application/x-xz"sv, "application/zstd"sv})
    if (same_word(type, each)) kind_ = Kind::Archive;
}

bool ProblemBody::write(std::string_view bytes) {
  size_ += bytes.size();
  if (is_too_large()) {
    trouble_ = invalid("a package has at most " + format_bytes(service::kLargestPackage));
    return false;
  }
  if (!file_.is_open()) {
    auto file = store_.scratch();
    if (!file) {
      trouble_ = std::unexpected(file.error());
      return false;
    }
    file_ = *std::move(file);
  }
  hash_.update(bytes);
  trouble_ = os::write_all(file_.get(), bytes);
  return trouble_.has_value();
}

bool ProblemBody::decide() {
  if (kind_ == Kind::Unknown) kind_ = looks_like_an_archive(text_) ? Kind::Archive : Kind::Json;
  if (kind_ == Kind::Json) return true;
  const std::string begun = std::exchange(text_, {});
  return write(begun);
}

bool ProblemBody::put(std::string_view bytes) {
  if (kind_ == Kind::Archive) return write(bytes);
  if (!lease_.cover(text_.size() + bytes.size())) return false;
  text_.append(bytes);
  return kind_ == Kind::Json || text_.size() < kTelling || decide();
}

Status ProblemBody::finish() {
  (void)decide();
  if (!trouble_) return trouble_;
  digest_ = is_archive() ? hash_.finish() : store::digest_of(text_);
  return {};
}

}  // namespace assay::transport
