// Archives that submissions are made of, and what describes a problem of Normal-OJ.
#include <sys/mman.h>
#include <unistd.h>

#include "base/check.h"
#include "fuzz/slices.h"
#include "fuzz/targets.h"
#include "judge/unpack_stream.h"
#include "judge/unpacker/stream.h"
#include "judge/unpacker/zip_names.h"
#include "os/fd.h"
#include "package/noj_archive.h"
#include "package/noj_meta.h"

namespace assay::fuzz {
namespace {

constexpr judge::ArchiveLimits kLimits{.total = 64_B, .entries = 4, .depth = 2, .name = 16};

// The unpacker's own look at the names agrees with ours.
bool has_zero(std::string_view zip) {
  static const os::OwnedFd file(::memfd_create("zip", MFD_CLOEXEC));
  CHECK(::ftruncate(file.get(), 0) == 0);
  CHECK(::pwrite(file.get(), zip.data(), zip.size(), 0) == static_cast<ssize_t>(zip.size()));
  return judge::unpacker::zip_has_zero_in_a_name(file.get());
}

}  // namespace

// What the unpacker says, after a hostile archive took it over.
void unpack_stream(std::string_view bytes) {
  const std::string text = std::string(judge::unpacker::kMagic) + std::string(bytes);
  const auto unpacked = judge::read_unpacked(text, kLimits);
  CHECK(unpacked.refusal.empty() || unpacked.files.empty());
  CHECK(unpacked.files.size() + unpacked.directories.size() <= kLimits.entries);
  std::size_t total = 0;
  for (const judge::SourceFile& file : unpacked.files) {
    total += file.content.size();
    CHECK(judge::complaint_about_name(file.name, kLimits).empty());
  }
  CHECK(total <= kLimits.total.count);
}

void zip(std::string_view bytes) {
  const bool zero = has_zero(bytes);
  const auto entries = package::entries_of_zip(bytes, kLimits);
  if (!entries) {
    CHECK(is_explained(entries, bytes.size()));
    return;
  }
  CHECK(entries->size() <= kLimits.entries);
  bool taken = false;
  for (const bool project : {false, true})
    for (const auto language : {package::NojLanguage::C, package::NojLanguage::Python})
      taken |= check_noj_archive({.zip = project}, language, *entries).has_value();
  for (const package::ZipEntry& entry : *entries) {
    const bool outside = entry.name.contains('\0') || entry.name.starts_with('/') ||
                         entry.name == ".." || entry.name.starts_with("../") ||
                         entry.name.contains("/../");
    CHECK(!taken || (!entry.is_link && !outside));
    CHECK(!entry.name.contains('\0') || zero);
  }
}

void noj_meta(std::string_view bytes) {
  const auto meta = package::parse_noj_meta(bytes);
  if (!meta) {
    CHECK(is_explained(meta, bytes.size()));
    return;
  }
  CHECK(meta->mode != package::NojMode::Interactive || meta->teacher_language);
  CHECK(meta->mode != package::NojMode::Interactive || !meta->custom_checker);
}

}  // namespace assay::fuzz
