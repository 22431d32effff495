#include "store/layout.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "store/cleaning.h"
#include "store/id.h"

namespace assay::store {
namespace {

constexpr int kDirectory = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;
constexpr int kTries = 100;
constexpr const char* kMarker = "temporary";

struct Made {
  bool leaf = false;
};

// Like mkdir -p. Only the last part is private: the ones above are none of our business.
Result<Made> make_path(const std::string& path) {
  if (::mkdir(path.c_str(), 0700) == 0) return Made{.leaf = true};
  if (errno == EEXIST) return Made{};
  if (errno != ENOENT) return system_error("make directory '" + path + "'");
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos;
       slash = path.find('/', slash + 1))
    if (::mkdir(path.substr(0, slash).c_str(), 0755) < 0 && errno != EEXIST)
      return system_error("make directory '" + path.substr(0, slash) + "'");
  if (::mkdir(path.c_str(), 0700) == 0) return Made{.leaf = true};
  if (errno == EEXIST) return Made{};
  return system_error("make directory '" + path + "'");
}

bool same_file(int fd, int directory, const char* name) {
  struct stat held{};
  struct stat named{};
  return ::fstat(fd, &held) == 0 && ::fstatat(directory, name, &named, 0) == 0 &&
         held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

bool is_linked(int fd) {
  struct stat state{};
  return ::fstat(fd, &state) == 0 && state.st_nlink > 0;
}

bool lives_in_memory(int fd) {
  struct statfs state{};
  return ::fstatfs(fd, &state) == 0 && (state.f_type == TMPFS_MAGIC || state.f_type == RAMFS_MAGIC);
}

Result<os::OwnedFd> open_room(int root, const std::string& name) {
  if (::mkdirat(root, name.c_str(), 0700) < 0 && errno != EEXIST)
    return system_error("make directory '" + name + "' of the store");
  return os::open_at(root, name, kDirectory);
}

// A fixed directory may belong to anyone the operator chose. A default one in /dev/shm must not be
// a trap that another user has set up under a well-known name.
Status refuse_foreign(int root, const std::string& path) {
  struct stat state{};
  if (::fstat(root, &state) < 0) return system_error("look at '" + path + "'");
  if (state.st_uid == ::geteuid()) return {};
  return system_error(EPERM, "the store's directory '" + path + "' belongs to user " +
                                 std::to_string(state.st_uid));
}

}  // namespace

Result<std::unique_ptr<Layout>> Layout::open(const Options& options, Drafts drafts) {
  if (options.directory.empty()) return invalid("the store needs a directory");
  for (int i = 0; i < kTries; ++i) {
    std::unique_ptr<Layout> layout(new Layout);
    layout->path_ = options.directory;
    layout->drafts_ = drafts;
    const Status entered = layout->enter(options);
    if (entered && layout->is_whole()) return layout;
    // Whoever removes the directory at this moment makes us begin again; other failures stay.
    if (!entered && entered.error().code != ENOENT) return std::unexpected(entered.error());
  }
  return system_error(
      EBUSY, "the store's directory '" + options.directory + "' is removed as often as it is made");
}

Status Layout::enter(const Options& options) {
  const Made made = TRY(make_path(path_));
  root_ = TRY(os::open(path_, O_RDONLY | O_DIRECTORY | (options.temporary ? O_NOFOLLOW : 0)));
  if (options.temporary) TRY_STATUS(refuse_foreign(root_.get(), path_));
  TRY_STATUS(take_lock());
  persistent_ = options.durable && !options.temporary && !lives_in_memory(root_.get());
  TRY_STATUS(settle_purpose(options.temporary, made.leaf));
  TRY_STATUS(open_rooms());
  clean_dead_sessions(drafts_root_.get());
  if (alone_) clean_leftovers({.ids = ids(), .files = files(), .blobs = blobs()});
  TRY_STATUS(start_session());
  // Changing the kind of a lock is not atomic: is_whole() afterwards tells whether somebody slipped
  // in between and removed everything.
  if (::flock(lock_.get(), LOCK_SH) < 0) return system_error("share the store's lock");
  return {};
}

Status Layout::take_lock() {
  lock_ = TRY(os::open_at(root_.get(), "lock", O_RDWR | O_CREAT | O_NOFOLLOW, 0600));
  alone_ = ::flock(lock_.get(), LOCK_EX | LOCK_NB) == 0;
  if (!alone_ && ::flock(lock_.get(), LOCK_SH) < 0) return system_error("lock the store");
  // The wait may have been for a store that removed the directory as it left.
  if (!is_ours()) return system_error(ENOENT, "lock the store");
  return {};
}

Status Layout::settle_purpose(bool wanted_temporary, bool made) {
  if (!wanted_temporary) {
    ::unlinkat(root_.get(), kMarker, 0);  // from now on it is to stay
    return {};
  }
  if (made) {
    (void)TRY(os::open_at(root_.get(), kMarker, O_WRONLY | O_CREAT | O_NOFOLLOW, 0600));
    temporary_ = true;
    return {};
  }
  temporary_ = ::faccessat(root_.get(), kMarker, F_OK, 0) == 0;
  if (temporary_ && alone_) clean_everything(root_.get());  // its store died without cleaning up
  return {};
}

Status Layout::open_rooms() {
  ids_ = TRY(open_room(root_.get(), "ids"));
  files_ = TRY(open_room(root_.get(), "files"));
  blobs_ = TRY(open_room(root_.get(), "blobs"));
  bad_ = TRY(open_room(root_.get(), "bad"));
  drafts_root_ = TRY(open_room(root_.get(), "tmp"));
  return {};
}

Status Layout::start_session() {
  for (int i = 0; i < kTries; ++i) {
    session_name_ = TRY(make_id());
    session_ = TRY(open_room(drafts_root_.get(), session_name_));
    if (::flock(session_.get(), LOCK_EX | LOCK_NB) == 0 && is_linked(session_.get())) break;
    session_.reset();  // taken for a dead one and removed before the lock was on it
  }
  if (!session_.is_open()) return system_error(EBUSY, "start a session in the store");
  if (drafts_ == Drafts::Named) return {};
  const auto probe = os::open_at(session_.get(), ".", O_TMPFILE | O_RDWR, 0600);
  if (!probe) drafts_ = Drafts::Named;
  return {};
}

bool Layout::is_ours() const {
  return same_file(root_.get(), AT_FDCWD, path_.c_str()) &&
         same_file(lock_.get(), root_.get(), "lock");
}

bool Layout::is_whole() const {
  for (const os::OwnedFd* room : {&ids_, &files_, &blobs_, &bad_, &drafts_root_, &session_})
    if (!is_linked(room->get())) return false;
  return is_ours();
}

Status Layout::sync_names() const {
  if (!persistent_) return {};
  for (const os::OwnedFd* room : {&blobs_, &files_, &ids_})  // what refers to others comes last
    if (::fsync(room->get()) < 0) return system_error("sync the store's directory");
  return {};
}

void Layout::leave() {
  if (!temporary_ || ::flock(lock_.get(), LOCK_EX | LOCK_NB) < 0 || !is_ours()) return;
  // Without the marker somebody wants to keep it by now.
  if (::faccessat(root_.get(), kMarker, F_OK, 0) < 0) return;
  clean_everything(root_.get());
  ::unlinkat(root_.get(), kMarker, 0);
  ::unlinkat(root_.get(), "lock", 0);
  ::rmdir(path_.c_str());  // fails, as it should, when it holds what is not ours
}

Layout::~Layout() {
  if (session_.is_open()) {
    clean_session(session_.get());
    ::unlinkat(drafts_root_.get(), session_name_.c_str(), AT_REMOVEDIR);
  }
  if (lock_.is_open()) leave();
}

}  // namespace assay::store
