// Looking for damage: comparing contents with their digests, and moving aside what is wrong.
#include <fcntl.h>
#include <unistd.h>

#include <limits>
#include <unordered_map>

#include "os/file.h"
#include "store/cleaning.h"
#include "store/digest.h"
#include "store/draft.h"
#include "store/id.h"
#include "store/shelf.h"

namespace assay::store {
namespace {

constexpr Bytes kUnknownSize{std::numeric_limits<std::uint64_t>::max()};

std::optional<Record> record_of_blob(const std::string& name) {
  const std::string digest = name.substr(0, name.find('.'));
  if (!is_digest(digest)) return std::nullopt;
  for (const Compression form : {Compression::None, Compression::Zstd, Compression::Lz4})
    if (name == digest + std::string(suffix_of(form)))
      return Record{.digest = digest, .size = kUnknownSize, .form = form};
  return std::nullopt;
}

std::string blob_name(const Record& record) {
  return record.digest + std::string(suffix_of(record.form));
}

}  // namespace

// By inode: a content that a thousand ids share is read once.
struct Shelf::Judged {
  std::unordered_map<std::uint64_t, bool> intact{};
  Store::Check result{};
};

Result<Store::Check> Shelf::check() {
  Judged judged;
  TRY_STATUS(judge_blobs(judged));
  TRY_STATUS(judge_ids(judged));  // finds contents that have lost their name among the blobs
  return std::move(judged.result);
}

Status Shelf::judge_blobs(Judged& judged) {
  for (const std::string& name : names_in(layout_->blobs())) {
    const auto record = record_of_blob(name);
    if (!record) continue;
    const auto file = os::open_at(layout_->blobs(), name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    struct stat state{};
    if (!file || ::fstat(file->get(), &state) < 0) continue;  // removed meanwhile
    const bool intact = TRY(is_intact(file->get(), *record));
    judged.intact.emplace(state.st_ino, intact);
    if (intact) {
      ++judged.result.good;
      continue;
    }
    judged.result.bad.push_back(record->digest);
    const std::scoped_lock lock(stripe(record->digest));
    set_aside(name, state.st_ino);
  }
  return {};
}

Status Shelf::judge_ids(Judged& judged) {
  for (const std::string& id : names_in(layout_->files())) {
    if (!is_id(id)) continue;
    const auto record = read_record(id);
    const auto file = os::open_at(layout_->files(), id, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    struct stat state{};
    if (!record || !file || ::fstat(file->get(), &state) < 0) continue;
    if (judged.intact.contains(state.st_ino)) continue;
    const bool intact = TRY(is_intact(file->get(), *record));
    judged.intact.emplace(state.st_ino, intact);
    if (intact) {
      ++judged.result.good;
      continue;
    }
    judged.result.bad.push_back(record->digest);
    const std::scoped_lock lock(stripe(record->digest));
    set_aside(blob_name(*record), state.st_ino);
  }
  return {};
}

Result<bool> Shelf::is_intact(int file, const Record& record) const {
  Sha256 hash;
  const Status read = unpack(file, record.form, record.size, [&](std::string_view bytes) -> Status {
    hash.update(bytes);
    return {};
  });
  if (!read && read.error().code != EBADMSG && read.error().code != EIO)
    return std::unexpected(read.error());
  return read && hash.finish() == record.digest;
}

Result<os::OwnedFd> Shelf::unpacked(int file, const Record& record) {
  const os::OwnedFd plain = TRY(Draft::make(*layout_)).release();
  std::uint64_t size = 0;
  TRY_STATUS(unpack(file, record.form, record.size, [&](std::string_view bytes) {
    size += bytes.size();
    return os::write_all(plain.get(), bytes);
  }));
  if (size != record.size.count) return system_error(EBADMSG, "unpack: bytes are missing");
  return os::open("/proc/self/fd/" + std::to_string(plain.get()), O_RDONLY);  // not to be written
}

std::unexpected<Error> Shelf::damaged(const Record& record, const std::string& id) {
  struct stat state{};
  if (::fstatat(layout_->files(), id.c_str(), &state, AT_SYMLINK_NOFOLLOW) == 0) {
    const std::scoped_lock lock(stripe(record.digest));
    set_aside(blob_name(record), state.st_ino);
  }
  return not_found("file '" + id + "' was damaged and has been moved aside");
}

// The blob goes first, so that nothing new is linked to it; then every id that has it.
void Shelf::set_aside(const std::string& blob, std::uint64_t inode) {
  struct stat state{};
  if (::fstatat(layout_->blobs(), blob.c_str(), &state, AT_SYMLINK_NOFOLLOW) == 0 &&
      state.st_ino == inode)
    ::renameat(layout_->blobs(), blob.c_str(), layout_->bad(), blob.c_str());
  for (const std::string& id : names_in(layout_->files())) {
    if (!is_id(id) || ::fstatat(layout_->files(), id.c_str(), &state, AT_SYMLINK_NOFOLLOW) < 0 ||
        state.st_ino != inode)
      continue;
    ::renameat(layout_->ids(), id.c_str(), layout_->bad(), id.c_str());
    // A content whose name among the blobs is lost goes aside under it all the same.
    if (::faccessat(layout_->bad(), blob.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0)
      ::unlinkat(layout_->files(), id.c_str(), 0);
    else
      ::renameat(layout_->files(), id.c_str(), layout_->bad(), blob.c_str());
  }
}

}  // namespace assay::store
