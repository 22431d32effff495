#include "package/noj_archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace assay::package {
namespace {

constexpr std::size_t kEndSize = 22;
constexpr std::size_t kEntrySize = 46;
constexpr std::size_t kMostComment = 65535;
constexpr std::uint32_t kLink = 0xA;  // the high four bits of a Unix mode

// Little-endian, and 0 beyond the end.
std::uint32_t number_at(std::string_view bytes, std::size_t at, unsigned size) {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < size && at + i < bytes.size(); ++i)
    value |= std::uint32_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  return value;
}

std::unexpected<Error> broken() {
  return invalid("the archive is no zip that can be read");
}

// The last record that says where the directory is; a comment may follow it.
std::size_t end_record(std::string_view zip) {
  if (zip.size() < kEndSize) return std::string_view::npos;
  const std::size_t first = zip.size() - std::min(zip.size(), kEndSize + kMostComment);
  const std::size_t at = zip.rfind(std::string_view("PK\5\6", 4), zip.size() - kEndSize);
  return at == std::string_view::npos || at < first ? std::string_view::npos : at;
}

// Whether an entry is called that at its own place, too.
bool is_at(std::string_view zip, std::size_t at, std::string_view name) {
  constexpr std::size_t kHeader = 30;
  if (at > zip.size() || zip.size() - at < kHeader + name.size()) return false;
  return zip.substr(at).starts_with("PK\3\4") && number_at(zip, at + 26, 2) == name.size() &&
         zip.substr(at + kHeader, name.size()) == name;
}

// The next of the directory, and `at` behind it.
std::optional<ZipEntry> entry_at(std::string_view zip, std::size_t& at) {
  if (at > zip.size() || zip.size() - at < kEntrySize || !zip.substr(at).starts_with("PK\1\2"))
    return std::nullopt;
  const std::size_t length = number_at(zip, at + 28, 2);
  const std::size_t rest = number_at(zip, at + 30, 2) + std::size_t{number_at(zip, at + 32, 2)};
  if (zip.size() - at < kEntrySize + length + rest) return std::nullopt;
  ZipEntry entry{.name = std::string(zip.substr(at + kEntrySize, length)),
                 .size = Bytes{number_at(zip, at + 24, 4)},
                 .is_link = number_at(zip, at + 38, 4) >> 28 == kLink};
  if (!is_at(zip, number_at(zip, at + 42, 4), entry.name)) return std::nullopt;
  at += kEntrySize + length + rest;
  return entry;
}

bool leaves(std::string_view name) {
  if (name.starts_with('/') || name.contains('\\') || name.contains('\0')) return true;
  while (!name.empty()) {
    const std::size_t slash = std::min(name.find('/'), name.size());
    if (name.substr(0, slash) == "..") return true;
    name.remove_prefix(std::min(slash + 1, name.size()));
  }
  return false;
}

bool has(const std::vector<ZipEntry>& entries, std::string_view name) {
  return std::ranges::find(entries, name, &ZipEntry::name) != entries.end();
}

Status check_code(NojLanguage language, const std::vector<ZipEntry>& entries) {
  std::size_t files = 0;
  for (const ZipEntry& each : entries) {
    if (each.name.ends_with('/')) continue;
    ++files;
    const std::string_view name = each.name;
    if (name.substr(0, name.rfind('.')) != "main") return invalid("none main");
    if (name != source_name(language)) return invalid("data type is not match");
  }
  if (files == 0) return invalid("no file in 'src' directory");
  return {};
}

}  // namespace

Result<std::vector<ZipEntry>> entries_of_zip(std::string_view zip,
                                             const judge::ArchiveLimits& limits) {
  if (zip.size() > limits.archive.count)
    return invalid(fmt::format("the archive has more than {} bytes", limits.archive.count));
  const std::size_t end = end_record(zip);
  if (end == std::string_view::npos) return broken();
  const std::uint32_t count = number_at(zip, end + 10, 2);
  std::size_t at = number_at(zip, end + 16, 4);
  if (count > limits.entries)
    return invalid(fmt::format("the archive has more than {} files", limits.entries));
  std::vector<ZipEntry> entries;
  std::uint64_t total = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto entry = entry_at(zip.substr(0, end), at);
    if (!entry) return broken();
    total += entry->size.count;
    entries.push_back(*entry);
  }
  if (total > limits.total.count)
    return invalid(fmt::format("the archive has more than {} bytes in it", limits.total.count));
  return entries;
}

Status check_noj_archive(const NojMeta& meta, NojLanguage language,
                         const std::vector<ZipEntry>& entries) {
  for (const ZipEntry& each : entries) {
    if (leaves(each.name)) return invalid("Invalid path in zip");
    if (each.is_link) return invalid("Symlinks are not allowed in submission archive");
  }
  if (!meta.zip) return check_code(language, entries);
  if (language == NojLanguage::Python && !has(entries, "main.py"))
    return invalid("main.py not found in zip");
  if (language != NojLanguage::Python && !has(entries, "Makefile"))
    return invalid("Makefile not found in zip");
  return {};
}

}  // namespace assay::package
