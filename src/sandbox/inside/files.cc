// Files in and out of the box, by name. The daemon moves the bytes; only descriptors cross.
#include <fcntl.h>
#include <linux/openat2.h>

#include "sandbox/inside/state.h"

namespace assay::sandbox::inside {
namespace {

void answer(long result, int fd) noexcept {
  ControlReply reply{};
  reply.answer = result < 0 ? Answer::Failed : Answer::Done;
  reply.error = result < 0 ? static_cast<std::int32_t>(-result) : 0;
  __atomic_store_n(&state.lending, 1, __ATOMIC_RELEASE);
  tell(state.control, &reply, sizeof reply, &fd, fd >= 0 ? 1 : 0);
  if (fd >= 0) close_fd(fd);
  __atomic_store_n(&state.lending, 0, __ATOMIC_RELEASE);
}

// Where a name begins: the box's root, or the work directory, which stays open for the next name.
int open_base(const char* name) noexcept {
  if (name[0] == '/' && state.plan->isolation == Isolation::Full) return open_directory("/");
  if (state.work_fd < 0) state.work_fd = lift(open_directory(text_at(state.plan->work_dir)));
  return state.work_fd;
}

void close_base(int base) noexcept {
  if (base != state.work_fd) close_fd(base);
}

// No link is ever followed, and nothing leaves the box's own tree: a program may have prepared any
// of the names.
long open_beneath(int base, const char* name, std::uint64_t flags, std::uint64_t mode) noexcept {
  open_how how{};
  how.flags = flags | O_CLOEXEC;
  how.mode = mode;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  long fd = 0;
  do {
    fd = call(__NR_openat2, base, address(name), address(&how), sizeof how);
  } while (fd == -EAGAIN || fd == -EINTR);
  return fd;
}

void own(int directory, const char* name) noexcept {
  if (state.plan->isolation == Isolation::None) return;
  call(__NR_fchownat, directory, address(name), state.plan->user, state.plan->group,
       AT_SYMLINK_NOFOLLOW);
}

// The directory that the last component of `name` is in, made on the way; `*last` is that
// component.
long open_parent(int base, char* name, char** last) noexcept {
  long directory = base;
  char* part = name;
  for (char* c = name; directory >= 0 && *c != '\0'; ++c) {
    if (*c != '/') continue;
    *c = '\0';
    if (*part != '\0' && !(part[0] == '.' && part[1] == '\0')) {
      if (call(__NR_mkdirat, directory, address(part), 0777) >= 0)
        own(static_cast<int>(directory), part);
      const long next = open_beneath(static_cast<int>(directory), part, O_PATH | O_DIRECTORY, 0);
      if (directory != base) close_fd(static_cast<int>(directory));
      directory = next;
    }
    part = c + 1;
  }
  *last = part;
  return directory;
}

// A regular file that is there already, such as a collector's, is written anew; whatever else is
// there stays.
long make_file(int directory, const char* name, std::uint64_t mode) noexcept {
  const long made = open_beneath(directory, name, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, mode);
  if (made != -EEXIST) return made;
  struct stat found{};
  call(__NR_newfstatat, directory, address(name), address(&found), AT_SYMLINK_NOFOLLOW);
  if (!S_ISREG(found.st_mode)) return made;
  // Without blocking: in a place that others share it may have become a FIFO meanwhile.
  return open_beneath(directory, name, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_NONBLOCK, 0);
}

long make(Order order, std::uint32_t mode, int directory, const char* name,
          const char* target) noexcept {
  switch (order) {
    case Order::Create:
      return make_file(directory, name, mode);
    case Order::CreateShared:
      return open_beneath(directory, name, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW, mode);
    case Order::MakeDirectory:
      return call(__NR_mkdirat, directory, address(name), mode);
    case Order::MakeLink:
      return call(__NR_symlinkat, address(target), directory, address(name));
    case Order::MakeFifo:
      return call(__NR_mknodat, directory, address(name), S_IFIFO | mode, 0);
    default:
      return -EINVAL;
  }
}

void create(const ControlRequest& request, int base, const char* name,
            const char* target) noexcept {
  const long made = make_at(base, request.order, request.mode, name, target);
  if (made >= 0 && request.order == Order::CreateShared)
    note_shared(request, base == state.work_fd, name);
  const bool opened = request.order == Order::Create || request.order == Order::CreateShared;
  answer(made, opened ? static_cast<int>(made) : -1);
}

// Opened without blocking and looked at before it is handed out: a FIFO must not hang us, a device
// must not be read.
void open_out(int base, const char* name) noexcept {
  const long fd = open_beneath(base, name, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
  if (fd < 0) return answer(fd, -1);
  struct statfs system{};
  call(__NR_fstatfs, fd, address(&system));
  constexpr long kProc = 0x9fa0;  // what is in there tells of us, not of the program
  struct stat found{};
  call(__NR_newfstatat, fd, address(""), address(&found), AT_EMPTY_PATH);
  if (S_ISREG(found.st_mode) && system.f_type != kProc) return answer(0, static_cast<int>(fd));
  close_fd(static_cast<int>(fd));
  answer(S_ISDIR(found.st_mode) ? -EISDIR : -EINVAL, -1);
}

// To be listed. Whoever has it reads names, and opens nothing through it.
void open_directory_out(int base, const char* name) noexcept {
  const long fd = open_beneath(base, *name == '\0' ? "." : name, O_RDONLY | O_DIRECTORY, 0);
  answer(fd < 0 ? fd : 0, static_cast<int>(fd));
}

}  // namespace

int open_directory(const char* path) noexcept {
  return static_cast<int>(
      call(__NR_openat, AT_FDCWD, address(path), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

const char* below_root(const char* name) noexcept {
  while (*name == '/')
    ++name;
  return name;
}

long make_at(int base, Order order, std::uint32_t mode, const char* name,
             const char* target) noexcept {
  static char path[kMaxName];  // launcher and init never make files at the same time
  if (length(name) >= sizeof path) return -ENAMETOOLONG;
  memcpy(path, name, length(name) + 1);
  char* last = nullptr;
  const long directory = open_parent(base, path, &last);
  if (directory < 0) return directory;
  const long made = make(order, mode, static_cast<int>(directory), last, target);
  if (made >= 0) own(static_cast<int>(directory), last);
  if (directory != base) close_fd(static_cast<int>(directory));
  return made;
}

void forget_work_directory() noexcept {
  if (state.work_fd >= 0) close_fd(state.work_fd);
  state.work_fd = -1;
}

void serve_file(const ControlRequest& request, const char* name) noexcept {
  const int base = open_base(name);
  if (base < 0) return answer(base, -1);
  const char* path = below_root(name);
  if (request.order == Order::OpenOut)
    open_out(base, path);
  else if (request.order == Order::OpenDirectory)
    open_directory_out(base, path);
  else
    create(request, base, path, name + length(name) + 1);
  close_base(base);
}

}  // namespace assay::sandbox::inside
