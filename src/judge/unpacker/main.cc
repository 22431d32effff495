// assay-unpack: reads an archive from stdin and writes its files to stdout, as stream.h says. Runs
// in a box where there is nothing else; started by the judge, not by people. It refuses early, so
// that a bomb costs no more than the limits; the judge checks again all that it says.
#include <archive.h>
#include <archive_entry.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <clocale>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "judge/unpacker/stream.h"
#include "judge/unpacker/zip_names.h"

namespace assay::judge::unpacker {
namespace {

constexpr std::size_t kBlock = std::size_t{64} << 10;

struct Limits {
  std::uint64_t total = 0;
  std::uint64_t entries = 0;
  std::uint64_t depth = 0;
  std::uint64_t name = 0;
  std::uint64_t by_ratio = 0;
};

[[noreturn]] void end(int code) {
  ::_exit(code);  // nothing of ours is buffered, and libarchive's memory is the box's
}

void write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) end(3);
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

void write_record(Kind kind, std::string_view bytes) {
  const auto size = static_cast<std::uint32_t>(bytes.size());
  std::array<char, kRecordHead> head{static_cast<char>(kind)};
  for (unsigned i = 0; i < 4; ++i)
    head[i + 1] = static_cast<char>(size >> (8 * i));
  write_all({head.data(), head.size()});
  write_all(bytes);
}

[[noreturn]] void refuse(const std::string& sentence) {
  write_record(Kind::Refused, std::string_view(sentence).substr(0, kLargestSentence));
  end(0);
}

[[noreturn]] void refuse_damaged(archive* from) {
  const char* why = archive_error_string(from);
  refuse(std::string("the archive is damaged: ") + (why != nullptr ? why : "it cannot be read"));
}

std::string quoted(std::string_view name) {
  return "'" + std::string(name.substr(0, 200)) + "'";
}

// "./a/" is "a"; the directory of the archive itself is "".
std::string_view plain(std::string_view name) {
  while (name.starts_with("./"))
    name.remove_prefix(2);
  while (name.size() > 1 && name.ends_with('/'))
    name.remove_suffix(1);
  return name == "." ? std::string_view{} : name;
}

void check_type(archive_entry* entry, std::string_view name) {
  if (archive_entry_is_encrypted(entry) != 0) refuse(quoted(name) + " is encrypted");
  if (archive_entry_hardlink(entry) != nullptr) refuse(quoted(name) + " is a hard link");
  const auto type = archive_entry_filetype(entry);
  if (type == AE_IFLNK || archive_entry_symlink(entry) != nullptr)
    refuse(quoted(name) + " is a symbolic link");
  if (type != AE_IFREG && type != AE_IFDIR)
    refuse(quoted(name) + " is neither a file nor a directory");
}

void check_name(std::string_view name, const Limits& limits) {
  if (name.size() > std::min<std::uint64_t>(limits.name, kLargestName))
    refuse("the name " + quoted(name) + " is longer than " + std::to_string(limits.name) +
           " bytes");
  const auto depth = static_cast<std::uint64_t>(std::ranges::count(name, '/'));
  if (depth > limits.depth)
    refuse(quoted(name) + " is deeper than " + std::to_string(limits.depth) + " directories");
}

class Unpacking {
 public:
  Unpacking(archive* from, const Limits& limits) : from_(from), limits_(limits) {}

  void run() {
    archive_entry* entry = nullptr;
    for (;;) {
      const int status = archive_read_next_header(from_, &entry);
      if (status == ARCHIVE_EOF) break;
      if (status != ARCHIVE_OK && status != ARCHIVE_WARN) refuse_damaged(from_);
      if (++entries_ > limits_.entries)
        refuse("the archive has more than " + std::to_string(limits_.entries) + " entries");
      take(entry);
    }
    if (archive_read_has_encrypted_entries(from_) > 0) refuse("the archive is encrypted");
    if (is_tar() && !has_end()) refuse("the archive is damaged: it has no end, as if it were cut");
    write_record(Kind::Done, {});
  }

 private:
  void take(archive_entry* entry) {
    const char* stored = archive_entry_pathname(entry);
    if (stored == nullptr) refuse("the archive has an entry whose name cannot be read");
    const std::string name(plain(stored));
    check_type(entry, name);
    check_name(name, limits_);
    if (archive_entry_filetype(entry) == AE_IFDIR) {
      if (!name.empty()) write_record(Kind::Directory, name);
      return;
    }
    if (archive_entry_size_is_set(entry) != 0) check_total(archive_entry_size(entry));
    const bool executable = (archive_entry_mode(entry) & 0111) != 0;  // of setuid nothing is left
    write_record(executable ? Kind::Executable : Kind::File, name);
    copy_data();
  }

  [[nodiscard]] bool is_tar() const {
    return (archive_format(from_) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_TAR;
  }

  // A tar ends with blocks of zeros. libarchive takes the end of the file for it, too, where the
  // next header would begin: half of an upload would be a problem with half of its tests.
  [[nodiscard]] bool has_end() const {
    return archive_filter_bytes(from_, 0) > archive_read_header_position(from_);
  }

  void copy_data() {
    static std::array<char, kBlock> block;
    for (;;) {
      const la_ssize_t got = archive_read_data(from_, block.data(), block.size());
      if (got == 0) return;
      if (got < 0) refuse_damaged(from_);
      check_total(got);
      total_ += static_cast<std::uint64_t>(got);
      write_record(Kind::Data, {block.data(), static_cast<std::size_t>(got)});
    }
  }

  void check_total(std::int64_t more) const {
    if (more < 0) refuse("the archive has a file of a negative size");
    const auto size = static_cast<std::uint64_t>(more);
    if (size > limits_.total - total_)
      refuse("the archive has more than " + std::to_string(limits_.total) + " bytes in it");
    if (size > limits_.by_ratio - std::min(total_, limits_.by_ratio))
      refuse("the archive is packed suspiciously well: its files are more than " +
             std::to_string(limits_.by_ratio) + " bytes");
  }

  archive* from_;
  Limits limits_;
  std::uint64_t entries_ = 0;
  std::uint64_t total_ = 0;
};

archive* open_archive() {
  archive* from = archive_read_new();
  if (from == nullptr) end(3);
  // Nothing else: every decoder is one more that a hostile file can talk to.
  archive_read_support_format_tar(from);
  archive_read_support_format_zip(from);
  archive_read_support_filter_gzip(from);
  archive_read_support_filter_bzip2(from);
  archive_read_support_filter_xz(from);
  archive_read_support_filter_zstd(from);
  if (archive_read_open_fd(from, STDIN_FILENO, kBlock) != ARCHIVE_OK) {
    const std::string why = archive_error_string(from);
    refuse("this is no zip or tar archive: " + why);
  }
  return from;
}

int unpack(char** arguments) {
  const auto number = [&](int i) {
    return std::strtoull(arguments[i], nullptr, 10);
  };
  const Limits limits{.total = number(1),
                      .entries = number(2),
                      .depth = number(3),
                      .name = number(4),
                      .by_ratio = number(5)};
  // Names in UTF-8 stay what they are, where the box has the locale.
  (void)std::setlocale(LC_CTYPE, "C.UTF-8");  // NOLINT(concurrency-mt-unsafe)
  write_all(kMagic);
  if (zip_has_zero_in_a_name(STDIN_FILENO)) refuse("the archive has a name with a zero byte in it");
  Unpacking(open_archive(), limits).run();
  return 0;
}

}  // namespace
}  // namespace assay::judge::unpacker

int main(int count, char** arguments) {
  if (count == assay::judge::unpacker::kArguments + 1)
    return assay::judge::unpacker::unpack(arguments);
  static constexpr std::string_view kUsage = "assay-unpack is started by assay and assayd\n";
  (void)!::write(STDERR_FILENO, kUsage.data(), kUsage.size());
  return 2;
}
