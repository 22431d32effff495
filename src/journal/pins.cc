#include "journal/pins.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>

namespace assay::journal {
namespace {

std::string name_of(Key key, std::size_t number) {
  return fmt::format("{}.{}", key, number);
}

// With offsets of its own: others read the same file.
Status copy(int from, int to) {
  off_t at = 0;
  for (;;) {
    constexpr std::size_t kPiece = std::size_t{1} << 30U;
    const ssize_t moved = ::sendfile(to, from, &at, kPiece);
    if (moved == 0) return {};
    if (moved < 0 && errno != EINTR) return system_error("copy a file for the journal");
  }
}

Status keep_one(int place, const std::string& name, int file, bool durable) {
  // What a process that was killed began under this key.
  ::unlinkat(place, name.c_str(), 0);
  const std::string open_file = fmt::format("/proc/self/fd/{}", file);
  const bool linked =
      ::linkat(AT_FDCWD, open_file.c_str(), place, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  // A file without a name, on another file system, with as many names as it may have.
  if (linked && !durable) return {};
  if (linked) {
    if (::fsync(file) < 0) return system_error("sync a file of the journal");
    return {};
  }
  const os::OwnedFd made = TRY(os::open_at(place, name, O_WRONLY | O_CREAT | O_EXCL, 0600));
  TRY_STATUS(copy(file, made.get()));
  if (durable && ::fsync(made.get()) < 0) return system_error("sync a file of the journal");
  return {};
}

}  // namespace

Result<Pins> Pins::open(int directory) {
  if (::mkdirat(directory, "pins", 0700) < 0 && errno != EEXIST)
    return system_error("make the journal's directory of files");
  return Pins(TRY(os::open_at(directory, "pins", O_RDONLY | O_DIRECTORY | O_NOFOLLOW)));
}

Status Pins::keep(Key key, const Files& files, bool durable) const {
  for (std::size_t i = 0; i < files.size(); ++i) {
    Status kept = keep_one(place_.get(), name_of(key, i), files[i]->get(), durable);
    if (kept) continue;
    drop(key, i + 1);
    return kept;
  }
  if (durable && !files.empty() && ::fsync(place_.get()) < 0)
    return system_error("sync the journal's files");
  return {};
}

Result<os::OwnedFd> Pins::open_file(Key key, std::size_t number) const {
  return os::open_at(place_.get(), name_of(key, number), O_RDONLY | O_NOFOLLOW);
}

void Pins::drop(Key key, std::size_t count) const {
  for (std::size_t i = 0; i < count; ++i)
    ::unlinkat(place_.get(), name_of(key, i).c_str(), 0);
}

void Pins::drop_all_but(const std::set<Key>& keys) const {
  auto again = os::open_at(place_.get(), ".", O_RDONLY | O_DIRECTORY);
  if (!again) return;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(again->get()), &::closedir);
  if (!stream) return;
  (void)again->release();
  // One stream, one reader.
  while (const dirent* entry = ::readdir(stream.get())) {  // NOLINT(concurrency-mt-unsafe)
    const std::string_view name = entry->d_name;
    Key key = 0;
    const auto parsed = std::from_chars(name.data(), name.data() + name.size(), key);
    if (parsed.ec == std::errc() && !keys.contains(key)) ::unlinkat(place_.get(), entry->d_name, 0);
  }
}

}  // namespace assay::journal
