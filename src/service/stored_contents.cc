#include "service/stored_contents.h"

#include <sys/resource.h>

#include <algorithm>
#include <utility>

#include "os/file.h"
#include "service/problems.h"

namespace assay::service {
namespace {

// As many again as problems may keep.
constexpr std::size_t kMostFiles = 2 * Problems::Options{}.files;

// A directory, a FIFO, a file that we may not read: whoever named it is told, and it is no fault of
// ours.
bool is_the_files_own(int code) {
  return code == EISDIR || code == EINVAL || code == EACCES || code == ELOOP ||
         code == ENAMETOOLONG;
}

}  // namespace

class StoredContents::Place {
 public:
  explicit Place(Count count) : count_(std::move(count)) { ++*count_; }
  Place(Place&&) noexcept = default;
  Place& operator=(Place&&) = delete;
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() {
    if (count_) --*count_;
  }

 private:
  Count count_;
};

struct StoredContents::Held {
  Place place;  // free when the file is closed
  os::OwnedFd file;
};

std::size_t StoredContents::most_files() {
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  return std::min<rlim_t>(kMostFiles, files.rlim_cur / 2);
}

// Before it is opened: of a hundred who come at once none opens one too many.
Result<StoredContents::Place> StoredContents::place() const {
  Place place(count_);
  if (*count_ > most_) return std::unexpected(Error{Fault::Busy, 0, kTooManyFiles});
  return place;
}

std::shared_ptr<const os::OwnedFd> StoredContents::hold(Place place, os::OwnedFd file) {
  auto held = std::make_shared<const Held>(std::move(place), std::move(file));
  return {held, &held->file};
}

Result<judge::Content> StoredContents::stored(const std::string& file_id) {
  Place own = TRY(place());
  auto opened = store_.get(file_id);
  if (opened) return judge::Content{.file = hold(std::move(own), std::move(opened->file))};
  if (opened.error().fault == Fault::System) return std::unexpected(std::move(opened).error());
  return invalid("no file has this id");
}

Result<judge::Content> StoredContents::host_file(const std::string& path) {
  if (!open_)
    return invalid("files of the host are served below -src-prefix only, and none is set");
  Place own = TRY(place());
  auto opened = open_(path);
  if (!opened && is_the_files_own(opened.error().code)) return invalid(describe(opened.error()));
  return judge::Content{.file = hold(std::move(own), TRY(std::move(opened))), .path = path};
}

Result<judge::Content> StoredContents::text(std::string text) {
  TextFile own;
  return add_text(std::move(text), own);
}

// A problem may be kept for long and have many tests: what is large goes to the store's disk.
Result<judge::Content> StoredContents::add_text(std::string text, TextFile& into) {
  if (text.size() <= kInMemory.count) return judge::Content{.text = std::move(text)};
  if (into.file == nullptr) {
    Place own = TRY(place());
    into.file = hold(std::move(own), TRY(store_.scratch()));
  }
  TRY_STATUS(os::write_all(into.file->get(), text));
  const judge::FilePart part{.offset = std::exchange(into.end, into.end + text.size()),
                             .size = text.size()};
  return judge::Content{.file = into.file, .part = part};
}

std::shared_ptr<const os::OwnedFd> StoredContents::adopt(os::OwnedFd file) {
  return hold(Place(count_), std::move(file));
}

}  // namespace assay::service
