// How bytes come onto the shelf: known contents are linked to, new ones written, synced, linked;
// the record comes last.
#include <fcntl.h>
#include <unistd.h>

#include "os/file.h"
#include "store/digest.h"
#include "store/draft.h"
#include "store/id.h"
#include "store/shelf.h"

namespace assay::store {
namespace {

constexpr int kTries = 8;
constexpr std::array kForms{Compression::None, Compression::Zstd, Compression::Lz4};

std::string blob_name(const Record& record) {
  return record.digest + std::string(suffix_of(record.form));
}

Status refuse_long(const std::string& name) {
  if (name.size() <= kLongestName.count) return {};
  return invalid("a file name of " + std::to_string(name.size()) + " bytes is too long");
}

Result<Bytes> size_of(int file) {
  struct stat state{};
  if (::fstat(file, &state) < 0) return system_error("look at a file for the store");
  return Bytes{static_cast<std::uint64_t>(state.st_size)};
}

// What scratch() handed out: a regular file of our file system that has no name anywhere.
Status refuse_foreign(int file, const Layout& layout) {
  struct stat state{};
  struct stat ours{};
  if (::fstat(file, &state) < 0 || ::fstat(layout.session(), &ours) < 0)
    return system_error("look at a file for the store");
  if (S_ISREG(state.st_mode) && state.st_dev == ours.st_dev && state.st_nlink == 0) return {};
  return invalid("only a scratch file of the store can be kept");
}

}  // namespace

Result<std::string> Shelf::add(const std::string& name, std::string_view bytes) {
  TRY_STATUS(refuse_long(name));
  Record record{.digest = digest_of(bytes),
                .size = Bytes{bytes.size()},
                .added = std::chrono::system_clock::now(),
                .name = name};
  std::string id = TRY(make_id());
  if (TRY(link_known(record, id))) return publish(record, std::move(id));
  const Draft draft = TRY(Draft::make(*layout_));
  TRY_STATUS(os::write_all(draft.fd(), bytes));
  const Place place = [&](int room, const std::string& as) {
    return draft.place(room, as);
  };
  TRY_STATUS(shelve(draft.fd(), place, record, id));
  return publish(record, std::move(id));
}

Result<os::OwnedFd> Shelf::scratch() {
  os::OwnedFd file = TRY(Draft::make(*layout_)).release();
  // A program in a box has another uid, and opens its own output again as /dev/stdout. Nobody else
  // can reach a file without a name.
  if (::fchmod(file.get(), 0666) < 0) return system_error("open up a scratch file");
  return file;
}

Result<std::string> Shelf::keep(const std::string& name, int file) {
  TRY_STATUS(refuse_long(name));
  TRY_STATUS(refuse_foreign(file, *layout_));
  const Bytes size = TRY(size_of(file));
  Record record{.digest = TRY(digest_of_file(file)),
                .size = size,
                .added = std::chrono::system_clock::now(),
                .name = name};
  std::string id = TRY(make_id());
  if (TRY(link_known(record, id))) return publish(record, std::move(id));
  const Place place = [&](int room, const std::string& as) {
    return place_unnamed(file, room, as);
  };
  Status done = shelve(file, place, record, id);
  // ENOENT: what has lost its name gets none any more, on a file system without O_TMPFILE or when
  // the directory went away under a first attempt.
  if (!done && done.error().code == ENOENT) done = shelve_copy(file, record, id);
  if (!done) return std::unexpected(std::move(done).error());
  return publish(record, std::move(id));
}

Status Shelf::shelve_copy(int file, Record& record, const std::string& id) {
  const Draft copy = TRY(Draft::make(*layout_));
  TRY_STATUS(pack(file, copy.fd(), Compression::None));
  const Place place = [&](int room, const std::string& as) {
    return copy.place(room, as);
  };
  record.form = Compression::None;
  return shelve(copy.fd(), place, record, id);
}

// True when the content was there already, in whatever form: then files/ID is a link to it.
Result<bool> Shelf::link_known(Record& record, const std::string& id) {
  const std::scoped_lock lock(stripe(record.digest));
  for (const Compression form : kForms) {
    record.form = form;
    if (TRY(link_blob(record, layout_->files(), id))) return true;
    if (record.size < kLarge) break;  // never packed
  }
  record.form = Compression::None;
  return false;
}

Result<bool> Shelf::link_blob(const Record& record, int room, const std::string& as) {
  const std::string blob = blob_name(record);
  if (::linkat(layout_->blobs(), blob.c_str(), room, as.c_str(), 0) < 0) {
    if (errno == ENOENT) return false;
    if (errno != EMLINK) return system_error("link to a blob");
    // As many links as the file system counts: those keep theirs, the next ones get a new blob.
    ::unlinkat(layout_->blobs(), blob.c_str(), 0);
    return false;
  }
  struct stat state{};
  if (::fstatat(room, as.c_str(), &state, AT_SYMLINK_NOFOLLOW) < 0)
    return system_error("look at a blob");
  const bool plain = record.form == Compression::None;
  if (S_ISREG(state.st_mode) &&
      (!plain || static_cast<std::uint64_t>(state.st_size) == record.size.count))
    return true;
  ::unlinkat(room, as.c_str(), 0);
  set_aside(blob, state.st_ino);  // what has been cut must not stand for the whole
  return false;
}

Status Shelf::shelve(int file, const Place& place, Record& record, const std::string& id) {
  if (compression_ == Compression::None || record.size < kLarge)
    return settle(file, place, record, id);
  const Draft packed = TRY(Draft::make(*layout_));
  TRY_STATUS(pack(file, packed.fd(), compression_));
  const Bytes size = TRY(size_of(packed.fd()));
  if (size.count > record.size.count / 8 * 7)  // not worth unpacking it each time
    return settle(file, place, record, id);
  record.form = compression_;
  const Place place_packed = [&](int room, const std::string& as) {
    return packed.place(room, as);
  };
  return settle(packed.fd(), place_packed, record, id);
}

Status Shelf::settle(int file, const Place& place, const Record& record, const std::string& id) {
  struct stat state{};
  if (::fstat(file, &state) < 0) return system_error("look at a file for the store");
  const Bytes stored{static_cast<std::uint64_t>(state.st_size)};
  if (quota_.count != 0 && stored > quota_)
    return invalid("a file of " + format_bytes(stored) +
                   " does not fit into the store's quota of " + format_bytes(quota_));
  if ((state.st_mode & 0777U) != kBlobMode && ::fchmod(file, kBlobMode) < 0)
    return system_error("close a file for writers");
  if (layout_->is_persistent() && ::fsync(file) < 0) return system_error("sync a file");

  const std::scoped_lock lock(stripe(record.digest));
  // The id's link first: a blob that only has its own name is taken for unused.
  TRY_STATUS(place(layout_->files(), id));
  for (int i = 0; i < kTries; ++i) {
    const Status placed = place(layout_->blobs(), blob_name(record));
    if (placed) {
      used_ += static_cast<std::int64_t>(stored.count);
      return {};
    }
    if (placed.error().code != EEXIST) {
      ::unlinkat(layout_->files(), id.c_str(), 0);
      return placed;
    }
    if (TRY(swap_for_blob(record, id))) return {};  // somebody was faster with the same bytes
  }
  return {};  // other processes come and go with this content: a copy of its own does no harm
}

// Our link gives way only to the finished other one: a file that had a name and lost its last one
// can never be linked again.
Result<bool> Shelf::swap_for_blob(const Record& record, const std::string& id) {
  if (!TRY(link_blob(record, layout_->session(), id))) return false;
  if (::renameat(layout_->session(), id.c_str(), layout_->files(), id.c_str()) == 0) return true;
  const int code = errno;
  ::unlinkat(layout_->session(), id.c_str(), 0);
  return system_error(code, "link to a blob");
}

Result<std::string> Shelf::publish(const Record& record, std::string id) {
  Status done = write_record(record, id);
  if (done) {
    touch(id);
    done = layout_->sync_names();
  }
  if (done) return id;
  ::unlinkat(layout_->ids(), id.c_str(), 0);
  drop_content(record, id);
  return std::unexpected(std::move(done).error());
}

Status Shelf::write_record(const Record& record, const std::string& id) {
  const std::string text = encode(record);
  if (fits_a_link(text)) {
    if (::symlinkat(text.c_str(), layout_->ids(), id.c_str()) < 0)
      return system_error("write a record");
    return {};
  }
  const Draft draft = TRY(Draft::make(*layout_));
  TRY_STATUS(os::write_all(draft.fd(), text));
  if (layout_->is_persistent() && ::fsync(draft.fd()) < 0) return system_error("sync a record");
  return draft.place(layout_->ids(), id);
}

}  // namespace assay::store
