#include "store/cleaning.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>

#include "os/fd.h"
#include "store/digest.h"
#include "store/id.h"

namespace assay::store {
namespace {

constexpr int kDirectory = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;

bool is_older(const struct stat& state, std::chrono::seconds age) {
  if (age.count() == 0) return true;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::seconds(state.st_ctim.tv_sec) + age <
         std::chrono::duration_cast<std::chrono::seconds>(now);
}

// Entries of `room` that have no counterpart in `other`.
void drop_unpaired(int room, int other, std::chrono::seconds older) {
  for (const std::string& name : names_in(room)) {
    if (!is_id(name)) continue;  // not ours
    struct stat state{};
    if (::fstatat(other, name.c_str(), &state, AT_SYMLINK_NOFOLLOW) == 0 || errno != ENOENT)
      continue;
    if (::fstatat(room, name.c_str(), &state, AT_SYMLINK_NOFOLLOW) == 0 && is_older(state, older))
      ::unlinkat(room, name.c_str(), 0);
  }
}

void drop_unused(int blobs, std::chrono::seconds older) {
  for (const std::string& name : names_in(blobs)) {
    if (!is_digest(name.substr(0, name.find('.')))) continue;  // not ours
    struct stat state{};
    if (::fstatat(blobs, name.c_str(), &state, AT_SYMLINK_NOFOLLOW) < 0) continue;
    if (S_ISREG(state.st_mode) && state.st_nlink == 1 && is_older(state, older))
      ::unlinkat(blobs, name.c_str(), 0);
  }
}

void clear_room(int root, const std::string& name) {
  const auto room = os::open_at(root, name, kDirectory);
  if (!room) return;
  clean_session(room->get());
  ::unlinkat(root, name.c_str(), AT_REMOVEDIR);
}

}  // namespace

std::vector<std::string> names_in(int directory) {
  std::vector<std::string> names;
  auto again = os::open_at(directory, ".", kDirectory);  // an offset of its own
  if (!again) return names;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(again->get()), &::closedir);
  if (!stream) return names;
  (void)again->release();
  // One stream, one reader: readdir is only unsafe when threads share a stream.
  while (const dirent* entry = ::readdir(stream.get())) {  // NOLINT(concurrency-mt-unsafe)
    std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(std::move(name));
  }
  return names;
}

void clean_session(int session) {
  for (const std::string& name : names_in(session))
    ::unlinkat(session, name.c_str(), 0);
}

void clean_dead_sessions(int drafts) {
  for (const std::string& name : names_in(drafts)) {
    const auto session = os::open_at(drafts, name, kDirectory);
    if (!session || ::flock(session->get(), LOCK_EX | LOCK_NB) < 0) continue;
    clean_session(session->get());
    ::unlinkat(drafts, name.c_str(), AT_REMOVEDIR);
  }
}

void clean_leftovers(const Rooms& rooms, std::chrono::seconds older) {
  drop_unpaired(rooms.files, rooms.ids, older);
  drop_unpaired(rooms.ids, rooms.files, older);
  drop_unused(rooms.blobs, older);
}

void clean_everything(int root) {
  if (const auto drafts = os::open_at(root, "tmp", kDirectory)) clean_dead_sessions(drafts->get());
  for (const char* room : {"ids", "files", "blobs", "bad", "tmp"})
    clear_room(root, room);
}

}  // namespace assay::store
