#include "app/sandbox_noj/work_place.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "os/file.h"

namespace assay::noj {
namespace {

constexpr std::size_t kMostFiles = 5000;
constexpr std::uint64_t kMostBytes = 256ULL << 20;

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

Result<os::OwnedFd> open_beneath(int directory, const std::string& name, int flags,
                                 unsigned mode = 0) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags) | O_CLOEXEC;
  if ((flags & O_PATH) == 0) how.flags |= O_NONBLOCK | O_NOCTTY;  // openat2 refuses the others
  how.mode = mode;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  const long fd = ::syscall(SYS_openat2, directory, name.c_str(), &how, sizeof how);
  if (fd < 0) return system_error(fmt::format("open '{}'", name));
  return os::OwnedFd(static_cast<int>(fd));
}

bool is_same(const struct stat& file, int other) {
  struct stat found{};
  return ::fstat(other, &found) == 0 && found.st_dev == file.st_dev && found.st_ino == file.st_ino;
}

// Whether two files hold the same bytes.
Result<bool> are_equal(int a, int b) {
  struct stat left{}, right{};
  if (::fstat(a, &left) < 0 || ::fstat(b, &right) < 0) return system_error("look at a file");
  if (left.st_size != right.st_size) return false;
  const auto size = static_cast<std::size_t>(left.st_size);
  return TRY(os::read_from_start(a, size)) == TRY(os::read_from_start(b, size));
}

bool is_plain(std::string_view name) {
  if (name.empty() || name.size() > 4000 || name.contains('\0')) return false;
  while (true) {
    const std::size_t slash = std::min(name.find('/'), name.size());
    const std::string_view part = name.substr(0, slash);
    if (part.empty() || part == "." || part == "..") return false;
    if (slash == name.size()) return true;
    name.remove_prefix(slash + 1);
  }
}

struct NoteHeader {
  std::uint64_t name = 0, size = 0;
};

}  // namespace

Result<WorkPlace> WorkPlace::open(const std::string& path, std::span<const int> left_out) {
  WorkPlace place;
  place.directory_ = TRY(os::open(path, O_RDONLY | O_DIRECTORY));
  TRY_STATUS(place.add_below("", left_out));
  return place;
}

Status WorkPlace::add_below(const std::string& below, std::span<const int> left_out) {
  os::OwnedFd opened =
      TRY(open_beneath(directory_.get(), below.empty() ? "." : below, O_RDONLY | O_DIRECTORY));
  const std::unique_ptr<DIR, CloseDirectory> stream(::fdopendir(opened.get()));
  if (!stream) return system_error("list the work place");
  (void)opened.release();                                  // the stream's now
  while (const dirent* entry = ::readdir(stream.get())) {  // NOLINT(concurrency-mt-unsafe)
    const std::string last = entry->d_name;
    if (last == "." || last == "..") continue;
    const std::string name = below + last;
    struct stat found{};
    if (::fstatat(directory_.get(), name.c_str(), &found, AT_SYMLINK_NOFOLLOW) < 0) continue;
    if (files_.size() + directories_.size() >= kMostFiles)
      return invalid(fmt::format("the work place has more than {} files", kMostFiles));
    if (S_ISDIR(found.st_mode)) {
      directories_.push_back(name);
      TRY_STATUS(add_below(name + "/", left_out));
    }
    const auto named = [&](int fd) {
      return is_same(found, fd);
    };
    if (!S_ISREG(found.st_mode) || std::ranges::any_of(left_out, named)) continue;
    files_.push_back(
        {name, TRY(open_beneath(directory_.get(), name, O_RDONLY)), (found.st_mode & 0111) != 0});
  }
  return {};
}

void WorkPlace::put_into(sandbox::Spec& spec) const {
  for (const std::string& name : directories_)
    spec.directories_in.push_back({.name = name});
  for (const Entry& entry : files_)
    spec.files_in.push_back(
        {.name = entry.name, .source = entry.file.get(), .executable = entry.executable});
}

Status WorkPlace::note_changes(const std::vector<sandbox::FoundFile>& found, int into) const {
  std::uint64_t total = 0;
  for (const sandbox::FoundFile& file : found) {
    const auto before = std::ranges::find(files_, file.name, &Entry::name);
    if (before != files_.end() && TRY(are_equal(before->file.get(), file.file.get()))) continue;
    struct stat status{};
    if (::fstat(file.file.get(), &status) < 0) return system_error("look at a file of the box");
    const NoteHeader header{file.name.size(), static_cast<std::uint64_t>(status.st_size)};
    total += header.size;
    if (total > kMostBytes) return invalid("the program left more than 256 MiB behind");
    TRY_STATUS(os::write_all(into, {reinterpret_cast<const char*>(&header), sizeof header}));
    TRY_STATUS(os::write_all(into, file.name));
    TRY_STATUS(os::write_all(into, TRY(os::read_from_start(file.file.get(), header.size))));
  }
  return {};
}

Status WorkPlace::write_back(const std::string& name, int notes, std::uint64_t offset,
                             std::uint64_t size) const {
  for (std::size_t slash = name.find('/'); slash != std::string::npos;
       slash = name.find('/', slash + 1)) {
    const std::string above = name.substr(0, slash);
    const std::size_t last = above.rfind('/');
    const std::string parent = last == std::string::npos ? "." : above.substr(0, last);
    const os::OwnedFd in = TRY(open_beneath(directory_.get(), parent, O_PATH | O_DIRECTORY));
    if (::mkdirat(in.get(), above.substr(last + 1).c_str(), 0755) < 0 && errno != EEXIST)
      return system_error(fmt::format("make '{}'", above));
  }
  const os::OwnedFd file =
      TRY(open_beneath(directory_.get(), name, O_WRONLY | O_CREAT | O_TRUNC, 0644));
  std::string buffer(65536, '\0');
  while (size > 0) {
    const std::size_t want = static_cast<std::size_t>(std::min<std::uint64_t>(size, buffer.size()));
    const ssize_t got = ::pread(notes, buffer.data(), want, static_cast<off_t>(offset));
    if (got <= 0) return system_error(fmt::format("bring '{}' back", name));
    TRY_STATUS(os::write_all(file.get(), {buffer.data(), static_cast<std::size_t>(got)}));
    offset += static_cast<std::uint64_t>(got);
    size -= static_cast<std::uint64_t>(got);
  }
  return {};
}

Status WorkPlace::apply_changes(int notes) const {
  struct stat status{};
  if (::fstat(notes, &status) < 0) return system_error("look at the changes");
  const auto end = static_cast<std::uint64_t>(status.st_size);
  for (std::uint64_t at = 0; at < end;) {
    NoteHeader header;
    if (::pread(notes, &header, sizeof header, static_cast<off_t>(at)) != sizeof header ||
        header.name > 4000 || header.size > end || at + sizeof header + header.name > end)
      return invalid("the changes of the work place are damaged");
    std::string name(header.name, '\0');
    at += sizeof header;
    if (::pread(notes, name.data(), name.size(), static_cast<off_t>(at)) !=
            static_cast<ssize_t>(name.size()) ||
        !is_plain(name))
      return invalid("the changes of the work place are damaged");
    at += header.name;
    if (header.size > end - at) return invalid("the changes of the work place are damaged");
    TRY_STATUS(write_back(name, notes, at, header.size));
    at += header.size;
  }
  return {};
}

}  // namespace assay::noj
