#include "tests/judging/fixture_archives.h"

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace assay::test {
namespace {

la_ssize_t append(archive*, void* to, const void* bytes, std::size_t size) {
  static_cast<std::string*>(to)->append(static_cast<const char*>(bytes), size);
  return static_cast<la_ssize_t>(size);
}

unsigned type_of(EntryType type) {
  switch (type) {
    case EntryType::Directory:
      return AE_IFDIR;
    case EntryType::SymbolicLink:
      return AE_IFLNK;
    case EntryType::Fifo:
      return AE_IFIFO;
    case EntryType::Device:
      return AE_IFCHR;
    case EntryType::Socket:
      return AE_IFSOCK;
    default:
      return AE_IFREG;
  }
}

void add(archive* to, const Packed& packed) {
  archive_entry* entry = archive_entry_new();
  archive_entry_copy_pathname(entry, packed.name.c_str());
  archive_entry_set_filetype(entry, type_of(packed.type));
  archive_entry_set_perm(entry, packed.mode);
  const bool is_file = packed.type == EntryType::File;
  if (is_file) archive_entry_set_size(entry, static_cast<la_int64_t>(packed.content.size()));
  if (packed.type == EntryType::SymbolicLink)
    archive_entry_copy_symlink(entry, packed.content.c_str());
  if (packed.type == EntryType::HardLink)
    archive_entry_copy_hardlink(entry, packed.content.c_str());
  EXPECT_GE(archive_write_header(to, entry), ARCHIVE_WARN) << archive_error_string(to);
  if (is_file) archive_write_data(to, packed.content.data(), packed.content.size());
  archive_entry_free(entry);
}

void add_filters(archive* to, const Packing& how) {
  for (int i = 0; i < how.times && !how.filter.empty(); ++i)
    EXPECT_EQ(archive_write_add_filter_by_name(to, how.filter.c_str()), ARCHIVE_OK);
}

// The bytes of an archive into which `fill` puts entries.
template <typename Fill>
std::string packed_by(const Packing& how, const Fill& fill) {
  std::string bytes;
  archive* to = archive_write_new();
  const std::string format = how.format == "tar" ? "gnutar" : how.format;
  EXPECT_EQ(archive_write_set_format_by_name(to, format.c_str()), ARCHIVE_OK);
  if (!how.password.empty()) {
    archive_write_set_options(to, "zip:encryption=zipcrypt");
    archive_write_set_passphrase(to, how.password.c_str());
  }
  add_filters(to, how);
  archive_write_set_bytes_in_last_block(to, 1);
  EXPECT_EQ(archive_write_open(to, &bytes, nullptr, append, nullptr), ARCHIVE_OK);
  fill(to);
  EXPECT_EQ(archive_write_close(to), ARCHIVE_OK) << archive_error_string(to);
  archive_write_free(to);
  return bytes;
}

}  // namespace

std::string pack(const std::vector<Packed>& entries, const Packing& how) {
  return packed_by(how, [&](archive* to) {
    for (const Packed& packed : entries)
      add(to, packed);
  });
}

std::string pack_empty(std::size_t count, const Packing& how) {
  return packed_by(how, [&](archive* to) {
    for (std::size_t i = 0; i < count; ++i)
      add(to, {"f" + std::to_string(i), ""});
  });
}

std::string tar_header(const std::string& name, const std::string& octal_size) {
  std::string header(512, '\0');
  const auto put = [&](std::size_t at, const std::string& text) {
    header.replace(at, text.size(), text);
  };
  put(0, name);
  put(100, "0000644");
  put(108, "0000000");
  put(116, "0000000");
  put(124, octal_size);
  put(136, "00000000000");
  put(148, std::string(8, ' '));
  put(156, "0");
  put(257, std::string("ustar\0"
                       "00",
                       8));
  unsigned sum = 0;
  for (const char c : header)
    sum += static_cast<unsigned char>(c);
  char text[8];
  std::snprintf(text, sizeof text, "%06o", sum);
  put(148, std::string(text, 7) + " ");
  return header;
}

std::string patched(std::string archive, const std::string& from, const std::string& to) {
  EXPECT_EQ(from.size(), to.size());
  bool found = false;
  for (std::size_t at = 0; (at = archive.find(from, at)) != std::string::npos; at += to.size()) {
    archive.replace(at, from.size(), to);
    found = true;
  }
  EXPECT_TRUE(found) << from;
  return archive;
}

std::vector<Packed> files_below(const std::string& directory) {
  namespace fs = std::filesystem;
  std::vector<Packed> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (!entry.is_regular_file()) continue;
    std::ostringstream content;
    content << std::ifstream(entry.path()).rdbuf();
    files.push_back({entry.path().lexically_relative(directory), content.str()});
  }
  return files;
}

}  // namespace assay::test
