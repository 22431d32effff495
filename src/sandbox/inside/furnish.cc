// What a plan wants made in the box's root while it is built; the working directory is that root.
#include <fcntl.h>
#include <linux/mount.h>
#include <linux/openat2.h>

#include "sandbox/inside/old_mount.h"
#include "sandbox/inside/state.h"

namespace assay::sandbox::inside {
namespace {

const char* relative(const char* path) noexcept {
  while (*path == '/')
    ++path;
  return *path == '\0' ? "." : path;
}

// A detached copy of the host's tree at `source`.
long copy_tree(const char* source, bool no_links) noexcept {
  constexpr unsigned kCopy = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE;
  if (!no_links) return call(__NR_open_tree, AT_FDCWD, address(source), kCopy);
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  const long fd = call(__NR_openat2, AT_FDCWD, address(source), address(&how), sizeof how);
  if (fd < 0) return fd;
  const long tree = call(__NR_open_tree, fd, address(""), kCopy | AT_EMPTY_PATH);
  close_fd(static_cast<int>(fd));
  return tree;
}

// A mount point of the kind that the source needs.
long make_mount_point(int tree, const char* target) noexcept {
  struct stat source{};
  const long looked = call(__NR_newfstatat, tree, address(""), address(&source), AT_EMPTY_PATH);
  if (looked < 0) return looked;
  if (S_ISDIR(source.st_mode)) {
    const long made = call(__NR_mkdirat, AT_FDCWD, address(target), 0755);
    return made == -EEXIST ? 0 : made;
  }
  const long fd = call(__NR_openat, AT_FDCWD, address(target),
                       O_CREAT | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (fd >= 0) close_fd(static_cast<int>(fd));
  return fd < 0 ? fd : 0;
}

// On a host with merged /usr, /bin and its like are links into it. So they are in the box: a link
// costs a tenth of a mount.
bool keep_link(const Make& make) noexcept {
  char target[64];
  if ((make.flags & (kNoLinks | kWritable | kDevice)) != 0) return false;
  const long size = call(__NR_readlinkat, AT_FDCWD, address(text_at(make.source)), address(target),
                         sizeof target - 1);
  if (size <= 4 || target[0] != 'u' || target[1] != 's' || target[2] != 'r' || target[3] != '/')
    return false;
  target[size] = '\0';
  return call(__NR_symlinkat, address(target), AT_FDCWD, address(relative(text_at(make.target)))) >=
         0;
}

long bind(const Make& make) noexcept {
  if (keep_link(make)) return 0;
  const long tree = copy_tree(text_at(make.source), (make.flags & kNoLinks) != 0);
  if (tree == -ENOENT && (make.flags & kOptional) != 0) return 0;
  if (tree < 0) return tree;
  const char* target = relative(text_at(make.target));
  long result = make_mount_point(static_cast<int>(tree), target);
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_NOSUID;
  if ((make.flags & kWritable) == 0) attributes.attr_set |= MOUNT_ATTR_RDONLY;
  if ((make.flags & kDevice) == 0) attributes.attr_set |= MOUNT_ATTR_NODEV;
  if ((make.flags & kNoExec) != 0) attributes.attr_set |= MOUNT_ATTR_NOEXEC;
  attributes.propagation = kMsPrivate;
  if (result >= 0)
    result = call(__NR_mount_setattr, tree, address(""), AT_EMPTY_PATH | AT_RECURSIVE,
                  address(&attributes), sizeof attributes);
  if (result >= 0)
    result = call(__NR_move_mount, tree, address(""), AT_FDCWD, address(target),
                  MOVE_MOUNT_F_EMPTY_PATH);
  close_fd(static_cast<int>(tree));
  return result;
}

// What the box will see at `path`, with links followed as they will be there: on a merged /usr even
// /bin is one.
long open_in_box(const char* path) noexcept {
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
  return call(__NR_openat2, AT_FDCWD, address(path), address(&how), sizeof how);
}

// The working directory is the root that is being built, and is so again afterwards.
long mask_directory(int directory) noexcept {
  const long root = call(__NR_openat, AT_FDCWD, address("."), O_PATH | O_CLOEXEC, 0);
  if (root < 0) return root;
  long done = call(__NR_fchdir, directory);
  if (done >= 0)
    done = call(__NR_mount, address("tmpfs"), address("."), address("tmpfs"),
                kMsReadOnly | kMsNoSuid | kMsNoDev | kMsNoExec,
                address("size=4k,nr_inodes=1,mode=555"));
  const long back = call(__NR_fchdir, root);
  close_fd(static_cast<int>(root));
  return done < 0 ? done : back;
}

long mask_file(int file) noexcept {
  const long tree = copy_tree("/dev/null", true);
  if (tree < 0) return tree;
  // Read-only, or whoever may write to it could change the times of the host's own node.
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC;
  long done = call(__NR_mount_setattr, tree, address(""), AT_EMPTY_PATH, address(&attributes),
                   sizeof attributes);
  if (done >= 0)
    done = call(__NR_move_mount, tree, address(""), file, address(""),
                MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH);
  close_fd(static_cast<int>(tree));
  return done;
}

// An empty directory or an empty file over what is there; what is not there needs no hiding.
long mask(const Make& make) noexcept {
  const long fd = open_in_box(text_at(make.target));
  if (fd == -ENOENT || fd == -ENOTDIR) return 0;
  if (fd < 0) return fd;
  struct stat found{};
  long done = call(__NR_newfstatat, fd, address(""), address(&found), AT_EMPTY_PATH);
  if (done >= 0)
    done = S_ISDIR(found.st_mode) ? mask_directory(static_cast<int>(fd))
                                  : mask_file(static_cast<int>(fd));
  close_fd(static_cast<int>(fd));
  return done;
}

long write_file(const Make& make) noexcept {
  const long fd = call(__NR_openat, AT_FDCWD, address(relative(text_at(make.target))),
                       O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, static_cast<long>(make.mode));
  if (fd < 0) return fd;
  const char* content = text_at(make.options);
  const long wrote = call(__NR_write, fd, address(content), static_cast<long>(length(content)));
  close_fd(static_cast<int>(fd));
  return wrote < 0 ? wrote : 0;
}

long make_place(const Make& make) noexcept {
  if (state.place_count >= kMaxPlaces) return -E2BIG;
  Place& place = state.places[state.place_count];
  place.path = text_at(make.target);
  place.options = text_at(make.options);
  place.flags = kMsNoSuid | kMsNoDev | kMsNoAtime | ((make.flags & kNoExec) != 0 ? kMsNoExec : 0);
  ++state.place_count;
  const long made = call(__NR_mkdirat, AT_FDCWD, address(relative(place.path)), 0755);
  return made == -EEXIST ? 0 : made;  // mounted after the root has changed
}

}  // namespace

long make_one(const Make& make) noexcept {
  const char* target = relative(text_at(make.target));
  switch (make.kind) {
    case MakeKind::Directory: {
      const long made = call(__NR_mkdirat, AT_FDCWD, address(target), static_cast<long>(make.mode));
      return made == -EEXIST ? 0 : made;
    }
    case MakeKind::File:
      return write_file(make);
    case MakeKind::Link:
      return call(__NR_symlinkat, address(text_at(make.source)), AT_FDCWD, address(target));
    case MakeKind::Bind:
      return bind(make);
    case MakeKind::Tmpfs:
      return make_place(make);
    case MakeKind::Proc:
      call(__NR_mkdirat, AT_FDCWD, address(target), 0555);
      return call(__NR_mount, address("proc"), address(target), address("proc"),
                  kMsReadOnly | kMsNoSuid | kMsNoDev | kMsNoExec, 0);
    case MakeKind::Mask:
      return mask(make);
  }
  return -EINVAL;
}

}  // namespace assay::sandbox::inside
