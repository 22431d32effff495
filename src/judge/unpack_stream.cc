#include "judge/unpack_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "judge/checker_text.h"
#include "judge/language_sources.h"
#include "judge/unpacker/stream.h"

namespace assay::judge {
namespace {

using unpacker::Kind;

constexpr std::size_t kShownName = 100;
constexpr std::size_t kShownSentence = 400;
constexpr const char* kBroken = "the archive made the unpacker say nonsense";

struct Record {
  Kind kind = Kind::Done;
  std::string_view bytes{};
};

// The first record, taken away; nothing when there is no whole one.
std::optional<Record> take_record(std::string_view& stream) {
  if (stream.size() < unpacker::kRecordHead) return std::nullopt;
  std::uint32_t size = 0;
  for (unsigned i = 0; i < 4; ++i)
    size |= static_cast<std::uint32_t>(static_cast<unsigned char>(stream[i + 1])) << (8 * i);
  if (stream.size() - unpacker::kRecordHead < size) return std::nullopt;
  const Record record{static_cast<Kind>(stream[0]), stream.substr(unpacker::kRecordHead, size)};
  stream.remove_prefix(unpacker::kRecordHead + size);
  return record;
}

std::string shown(std::string_view name) {
  return fmt::format("'{}'", safe_text(name, kShownName));
}

class Reading {
 public:
  explicit Reading(const ArchiveLimits& limits, const FileTaker* taker = nullptr)
      : limits_(limits), taker_(taker) {}

  Unpacked read(std::string_view stream) {
    if (!stream.starts_with(unpacker::kMagic)) return refused(kBroken);
    stream.remove_prefix(unpacker::kMagic.size());
    for (;;) {
      const auto record = take_record(stream);
      if (!record) return refused(kBroken);
      if (record->kind == Kind::Done || record->kind == Kind::Refused)
        return finish(*record, stream);
      if (const std::string why = take(*record); !why.empty()) return refused(why);
      if (!taken_) return {};
    }
  }

  [[nodiscard]] const Status& taken() const { return taken_; }  // not so: what was read is nothing

 private:
  static Unpacked refused(std::string why) { return {.refusal = std::move(why)}; }

  Unpacked finish(const Record& record, std::string_view rest) {
    if (!rest.empty()) return refused(kBroken);
    if (record.kind == Kind::Refused)
      return refused(record.bytes.empty() ? kBroken : safe_text(record.bytes, kShownSentence));
    if (!record.bytes.empty()) return refused(kBroken);
    if (files_ == 0) return refused("the archive has no files");
    if (const std::string why = mixed(); !why.empty()) return refused(why);
    return std::move(read_);
  }

  std::string take(const Record& record) {
    switch (record.kind) {
      case Kind::File:
      case Kind::Executable:
      case Kind::Directory:
        return enter(record);
      case Kind::Data:
        return add_data(record.bytes);
      default:
        return kBroken;
    }
  }

  std::string enter(const Record& record) {
    if (++entries_ > limits_.entries)
      return fmt::format("the archive has more than {} entries", limits_.entries);
    std::string why = complaint_about_name(record.bytes, limits_);
    if (!why.empty()) return why;
    const bool is_directory = record.kind == Kind::Directory;
    const auto [known, is_new] = seen_.emplace(record.bytes, is_directory);
    in_file_ = !is_directory;
    // A directory may be listed twice: nothing hangs on which of them counts.
    if (!is_new && !(is_directory && known->second))
      return fmt::format("the archive has two entries {}", shown(record.bytes));
    if (is_directory && is_new) read_.directories.emplace_back(record.bytes);
    if (is_directory) return "";
    ++files_;
    if (taker_ != nullptr)
      taken_ = taker_->begin(record.bytes);
    else
      read_.files.push_back(
          {.name = std::string(record.bytes), .executable = record.kind == Kind::Executable});
    return "";
  }

  std::string add_data(std::string_view bytes) {
    if (!in_file_ || bytes.size() > unpacker::kLargestData) return kBroken;
    if (bytes.size() > limits_.total.count - total_)
      return fmt::format("the archive has more than {} in it", format_bytes(limits_.total));
    total_ += bytes.size();
    if (taker_ != nullptr)
      taken_ = taker_->add(bytes);
    else
      read_.files.back().content += bytes;
    return "";
  }

  // A file that is also the directory of another one.
  [[nodiscard]] std::string mixed() const {
    for (const auto& [name, is_directory] : seen_)
      for (std::size_t slash = name.find('/'); slash != std::string::npos;
           slash = name.find('/', slash + 1)) {
        const auto parent = seen_.find(name.substr(0, slash));
        if (parent != seen_.end() && !parent->second)
          return fmt::format("{} is a file and a directory at once", shown(parent->first));
      }
    return "";
  }

  ArchiveLimits limits_;
  Unpacked read_{};
  std::map<std::string, bool, std::less<>> seen_{};  // and whether it is a directory
  const FileTaker* taker_;
  Status taken_{};
  std::uint64_t entries_ = 0;
  std::uint64_t files_ = 0;
  std::uint64_t total_ = 0;
  bool in_file_ = false;
};

}  // namespace

std::string complaint_about_name(std::string_view name, const ArchiveLimits& limits) {
  if (name.size() > limits.name)
    return fmt::format("the name {} is longer than {} bytes", shown(name), limits.name);
  if (static_cast<std::uint64_t>(std::ranges::count(name, '/')) > limits.depth)
    return fmt::format("{} is deeper than {} directories", shown(name), limits.depth);
  if (safe_text(name, name.size()) != name)
    return fmt::format("the name {} is not plain UTF-8 text", shown(name));
  if (!check_source_name(name)) return fmt::format("{} is not a plain relative path", shown(name));
  return "";
}

Unpacked read_unpacked(std::string_view stream, const ArchiveLimits& limits) {
  return Reading(limits).read(stream);
}

Result<Unpacked> read_unpacked(std::string_view stream, const ArchiveLimits& limits,
                               const FileTaker* taker) {
  Reading reading(limits, taker);
  Unpacked unpacked = reading.read(stream);
  TRY_STATUS(reading.taken());
  return unpacked;
}

}  // namespace assay::judge
