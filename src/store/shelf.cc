#include "store/shelf.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "store/cleaning.h"
#include "store/id.h"

namespace assay::store {
namespace {

constexpr std::size_t kRecordRoom = 4096;
constexpr std::chrono::minutes kNobodyAddsThatSlowly{10};

Moment moment(const timespec& time) {
  return Moment(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
}

// A record that was too long for a link.
Result<std::string> read_long_record(int ids, const std::string& id) {
  const os::OwnedFd file = TRY(os::open_at(ids, id, O_RDONLY | O_NOFOLLOW | O_NONBLOCK));
  std::string text;
  TRY_STATUS(read_through(file.get(), [&](std::string_view bytes) -> Status {
    if (text.size() + bytes.size() > kLongestName.count + kRecordRoom)
      return system_error(EBADMSG, "read the record of '" + id + "'");
    text += bytes;
    return {};
  }));
  return text;
}

}  // namespace

std::unexpected<Error> not_found(std::string why) {
  return std::unexpected(Error{Fault::NotFound, 0, std::move(why)});
}

Shelf::Shelf(const Options& options, std::unique_ptr<Layout> layout)
    : compression_(options.compression), quota_(options.quota), layout_(std::move(layout)) {}

Result<std::unique_ptr<Shelf>> Shelf::open(const Options& options, Drafts drafts) {
  auto layout = TRY(Layout::open(options, drafts));
  return std::unique_ptr<Shelf>(new Shelf(options, std::move(layout)));
}

Bytes Shelf::used() const {
  return Bytes{static_cast<std::uint64_t>(std::max<std::int64_t>(0, used_))};
}

Result<Record> Shelf::read_record(const std::string& id) const {
  std::array<char, kRecordRoom> room{};
  const ssize_t got = ::readlinkat(layout_->ids(), id.c_str(), room.data(), room.size());
  std::optional<Record> record;
  if (got >= 0) {
    record = decode_record({room.data(), static_cast<std::size_t>(got)});
  } else if (errno == EINVAL) {
    const auto text = read_long_record(layout_->ids(), id);
    if (text) record = decode_record(*text);
  } else if (errno != ENOENT) {
    return system_error("read the record of '" + id + "'");
  } else if (::faccessat(layout_->bad(), id.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
    return not_found("file '" + id + "' was damaged and has been moved aside");
  } else {
    return not_found("there is no file '" + id + "'");
  }
  if (!record) return not_found("the record of file '" + id + "' is damaged");
  return *std::move(record);
}

Result<Opened> Shelf::get(const std::string& id) {
  Record record = TRY(read_record(id));
  struct stat state{};
  if (::fstatat(layout_->files(), id.c_str(), &state, AT_SYMLINK_NOFOLLOW) < 0) {
    if (errno != ENOENT) return system_error("look at file '" + id + "'");
    return not_found("file '" + id + "' has been removed");
  }
  if (!S_ISREG(state.st_mode)) return not_found("the content of file '" + id + "' is damaged");
  const bool plain = record.form == Compression::None;
  if (plain && static_cast<std::uint64_t>(state.st_size) != record.size.count)
    return damaged(record, id);
  auto file = os::open_at(layout_->files(), id, O_RDONLY | O_NOFOLLOW);
  if (!file && file.error().code == ENOENT)  // removed since we looked
    return not_found("file '" + id + "' has been removed");
  if (file && !plain) file = unpacked(file->get(), record);
  if (!file && file.error().code == EBADMSG) return damaged(record, id);
  touch(id);
  return Opened{.file = TRY(std::move(file)),
                .name = std::move(record.name),
                .size = record.size,
                .modified = record.added};
}

void Shelf::touch(const std::string& id) const {
  // Said outright: the kernel's own "now" has the grain of a timer tick, too coarse to tell which
  // of two files was used first.
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  const std::array times{now, now};
  ::utimensat(layout_->ids(), id.c_str(), times.data(), AT_SYMLINK_NOFOLLOW);
}

std::optional<Moment> Shelf::last_use(const std::string& id) const {
  struct stat state{};
  if (::fstatat(layout_->ids(), id.c_str(), &state, AT_SYMLINK_NOFOLLOW) < 0) return std::nullopt;
  return moment(state.st_mtim);
}

Status Shelf::remove(const std::string& id) {
  const auto record = read_record(id);
  // Whoever removes the record has removed the file: of two at once, one is told NotFound.
  if (::unlinkat(layout_->ids(), id.c_str(), 0) < 0) {
    if (errno != ENOENT) return system_error("remove file '" + id + "'");
    return record ? Status(not_found("there is no file '" + id + "'"))
                  : std::unexpected(record.error());
  }
  if (record)
    drop_content(*record, id);
  else
    ::unlinkat(layout_->files(), id.c_str(), 0);
  return {};
}

void Shelf::drop_content(const Record& record, const std::string& id) {
  const std::string blob = record.digest + std::string(suffix_of(record.form));
  const std::scoped_lock lock(stripe(record.digest));
  struct stat own{};
  const bool known = ::fstatat(layout_->files(), id.c_str(), &own, AT_SYMLINK_NOFOLLOW) == 0;
  if (::unlinkat(layout_->files(), id.c_str(), 0) == 0 && known && own.st_nlink == 1)
    used_ -= own.st_size;  // another process took the name of this blob away in a race
  struct stat state{};
  if (::fstatat(layout_->blobs(), blob.c_str(), &state, AT_SYMLINK_NOFOLLOW) < 0 ||
      state.st_nlink != 1)
    return;
  if (::unlinkat(layout_->blobs(), blob.c_str(), 0) == 0) used_ -= state.st_size;
}

std::vector<Listed> Shelf::list() {
  std::vector<Listed> files;
  for (std::string& id : names_in(layout_->ids())) {
    if (!is_id(id)) continue;
    auto record = read_record(id);
    if (!record) continue;
    files.push_back({.id = std::move(id), .name = std::move(record->name), .size = record->size});
  }
  std::ranges::sort(files, {}, &Listed::id);
  return files;
}

std::vector<Use> Shelf::uses() {
  std::vector<Use> all;
  for (std::string& id : names_in(layout_->ids())) {
    struct stat content{};
    const auto last = last_use(id);
    if (!is_id(id) || !last ||
        ::fstatat(layout_->files(), id.c_str(), &content, AT_SYMLINK_NOFOLLOW) < 0)
      continue;
    all.push_back({.id = std::move(id),
                   .last = *last,
                   .inode = content.st_ino,
                   .stored = Bytes{static_cast<std::uint64_t>(content.st_size)}});
  }
  return all;
}

void Shelf::clean_up() {
  clean_dead_sessions(layout_->drafts_root());
  clean_leftovers({.ids = layout_->ids(), .files = layout_->files(), .blobs = layout_->blobs()},
                  kNobodyAddsThatSlowly);
}

}  // namespace assay::store
