// use_uncounted FILE: asks for what no cgroup counts, and leaves or reads marks on FILE, which it may only read.
#include <fcntl.h>
#include <linux/filter.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include "attempt.h"

static void access_lists(void) {
  struct { unsigned version; struct { unsigned short tag, rights; unsigned id; } entry[4]; } list = {
      2, {{0x01, 7, -1}, {0x04, 7, -1}, {0x10, 7, -1}, {0x20, 7, -1}}};
  mkdir("d", 0755);
  const int fd = open("d", O_RDONLY);
  ATTEMPT("setxattr", syscall(SYS_setxattr, "d", "system.posix_acl_default", &list, sizeof list, 0));
  ATTEMPT("lsetxattr", syscall(SYS_lsetxattr, "d", "system.posix_acl_access", &list, sizeof list, 0));
  ATTEMPT("fsetxattr", syscall(SYS_fsetxattr, fd, "system.posix_acl_default", &list, sizeof list, 0));
  struct { unsigned long value; unsigned size, flags; } given = {(unsigned long)&list, sizeof list, 0};
  ATTEMPT("setxattrat", syscall(463, AT_FDCWD, "d", 0, "system.posix_acl_default", &given, sizeof given));
}

static void filters(void) {
  struct sock_filter code = {BPF_RET | BPF_K, 0, 0, 0x7fff0000};
  struct sock_fprog program = {1, &code};
  int pair[2];
  ATTEMPT("pair", socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
  for (int option = 50; option <= 52; ++option)
    ATTEMPT("attach a program", setsockopt(pair[0], SOL_SOCKET, option, &program, sizeof program));
  ATTEMPT("attach a filter", setsockopt(pair[0], SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program));
  ATTEMPT("attach with an upper half",
          syscall(SYS_setsockopt, pair[0], SOL_SOCKET | 1UL << 32, SO_ATTACH_FILTER | 1UL << 32, &program, sizeof program));
  ATTEMPT("filter itself", prctl(PR_SET_SECCOMP, 2, &program));
}

static long map_huge(unsigned long flags) {
  const long at = syscall(SYS_mmap, 0, 2 << 20, 3, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  return at == -1 ? -1 : 0;
}

static void huge_pages(void) {
  ATTEMPT("map huge pages", map_huge(MAP_HUGETLB));
  ATTEMPT("map huge pages with an upper half", map_huge(MAP_HUGETLB | 1UL << 40));
  ATTEMPT("huge memory file", memfd_create("m", MFD_HUGETLB));
  ATTEMPT("huge shared memory", shmget(IPC_PRIVATE, 2 << 20, IPC_CREAT | SHM_HUGETLB | 0600));
}

static void shared_pages(void) {
  void* page = mmap(0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ATTEMPT("merge pages", madvise(page, 4096, MADV_MERGEABLE));
  ATTEMPT("merge all pages", prctl(67, 1, 0, 0, 0));
  ATTEMPT("share a core by a cookie", prctl(62, 1, 0, 0, 0));
}

static void marks(const char* path) {
  const int fd = open(path, O_RDONLY);
  char room[4096], byte;
  struct iovec one = {&byte, 1};
  memset(room, 0, sizeof room);
  ((unsigned long*)room)[1] = ~0UL;  // a whole file, of struct fiemap
  ATTEMPT("open the file", fd);
  ATTEMPT("extents that are cached", ioctl(fd, _IOWR('f', 42, char[32]), room));
  ATTEMPT("extents", ioctl(fd, _IOWR('f', 11, char[32]), room));
  ATTEMPT("cache extents", ioctl(fd, _IO('f', 18)));
  ATTEMPT("state", ioctl(fd, _IOW('f', 41, unsigned), room));
  ATTEMPT("flags", ioctl(fd, _IOR('f', 1, long), room));
  ATTEMPT("xfs flags", ioctl(fd, _IOR('X', 31, char[28]), room));
  ATTEMPT("label", ioctl(fd, _IOR(0x94, 49, char[256]), room));
  ATTEMPT("read what is cached", preadv2(fd, &one, 1, 0, 8 /* RWF_NOWAIT */));
  ATTEMPT("read past the cache", open(path, O_RDONLY | O_DIRECT));
  ATTEMPT("and later", fcntl(fd, F_SETFL, O_DIRECT));
  dprintf(1, "advised: %d\n", posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED));
  dprintf(1, "flushed: %d\n", fsync(fd) | fdatasync(fd));
  // Of a descriptor that is none the kernel would say so: it is not asked.
  dprintf(1, "advised nobody: %d\n", posix_fadvise(-1, 0, 0, POSIX_FADV_DONTNEED));
  dprintf(1, "flushed nobody: %d\n", fsync(-1) | fdatasync(-1));
}

// A record lock for every other byte: unlocked from the top down, each splits the first of the list. Whether there are any, a
// child can tell, and another description of the file.
static void record_locks(const char* path, int set, const char* name) {
  const int fd = open(path, O_RDONLY), other = open(path, O_RDONLY);
  struct flock lock = {F_RDLCK, SEEK_SET, 0, 2000, 0};
  int trouble = fcntl(fd, set, &lock);
  lock.l_type = F_UNLCK, lock.l_len = 1;
  for (lock.l_start = 1999; lock.l_start > 0; lock.l_start -= 2)
    trouble |= fcntl(fd, set, &lock);
  if (fork() == 0) {
    struct flock found = {F_WRLCK, SEEK_SET, 0, 0, 0};
    int held = fcntl(other, F_OFD_GETLK, &found) == 0 && found.l_type != F_UNLCK;
    dprintf(1, "%s: %d, %s\n", name, trouble, held ? "held" : "free");
    _exit(0);
  }
  while (wait(0) > 0) continue;
}

// A mapping keeps the description of a file and its lock, without a descriptor. Whether anybody holds one, an exclusive lock of
// another description can tell, which then keeps out a third.
static void shared_locks(const char* path) {
  int trouble = 0;
  for (int i = 0; i < 1000; ++i) {
    const int fd = open(path, O_RDONLY);
    trouble |= flock(fd, i % 2 ? LOCK_SH : LOCK_SH | LOCK_NB);
    trouble |= mmap(0, 1, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED;
    close(fd);
  }
  dprintf(1, "shared locks: %d, %s\n", trouble, flock(open(path, O_RDONLY), LOCK_EX | LOCK_NB) ? "held" : "free");
  dprintf(1, "exclusive lock: %s\n", flock(open(path, O_RDONLY), LOCK_EX | LOCK_NB) ? "held" : "free");
}

static void owners_and_names(const char* path) {
  const int fd = open(path, O_RDONLY);
  const struct f_owner_ex owner = {F_OWNER_PID, getpid()};
  ATTEMPT("a mandatory lock", flock(fd, 32 /* LOCK_MAND */ | 64 /* LOCK_READ */));
  ATTEMPT("an owner", fcntl(fd, F_SETOWN, getpid()));
  ATTEMPT("an owner of a kind", fcntl(fd, F_SETOWN_EX, &owner));
  ATTEMPT("a signal", fcntl(fd, F_SETSIG, SIGUSR1));
  ATTEMPT("a signal with an upper half", syscall(SYS_fcntl, fd, F_SETSIG | 1UL << 32, SIGUSR1));
  ATTEMPT("a name of a mapping", prctl(0x53564d41, 0, mmap(0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096, "name"));
}

// Before Linux 6.13 each is work for the interrupt at every tick, if its signal is ignored.
static void timers(void) {
  int count = 0;
  timer_t timer;
  struct sigevent silent = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2};
  while (count < 5000 && syscall(SYS_timer_create, CLOCK_MONOTONIC, &silent, &timer) == 0) ++count;
  dprintf(1, "timers: %d, %s\n", count, strerrorname_np(errno));
}

static void domains(void) {
  const unsigned long rights[] = {1, 0, 0};
  ATTEMPT("rules of Landlock", syscall(444, rights, sizeof rights[0], 0));
  ATTEMPT("one more", syscall(445, -1, 1, rights, 0));
  ATTEMPT("its domain", syscall(446, -1, 0));
}

static void networks(void) {
  char room[4096] = "lo";
  const int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
  ATTEMPT("bridges", ioctl(fd, 0x8940, room));
  ATTEMPT("bridges with an upper half", syscall(SYS_ioctl, fd, 0x8940 | 1UL << 32, room));
  ATTEMPT("a new bridge", ioctl(fd, 0x89a0, room));
  ATTEMPT("VLANs", ioctl(fd, 0x8982, room));
  ATTEMPT("interfaces", ioctl(fd, 0x8912, room));
  ATTEMPT("the index of an interface", ioctl(fd, 0x8933, room));
}

static void queues_and_caches(const char* path) {
  unsigned long all[2] = {0, 0}, answer[5];
  int ends[2];
  ATTEMPT("which pages are cached", syscall(451, open(path, O_RDONLY), all, answer, 0));
  ATTEMPT("a pipe of notices", pipe2(ends, O_EXCL));
}

static void clock_of_init(void) {
  struct timespec time;
  timer_t timer;
  for (int kind = 0; kind < 3; ++kind) {
    const clockid_t clock = (int)(~1U << 3) | kind;
    ATTEMPT("init's clock", syscall(SYS_clock_gettime, clock, &time));
    ATTEMPT("init's clock with an upper half", syscall(SYS_clock_gettime, (unsigned)clock | 1UL << 32, &time));
    ATTEMPT("a timer of it", syscall(SYS_timer_create, clock, 0, &timer));
  }
}

int main(int argc, char** argv) {
  access_lists();
  filters();
  huge_pages();
  shared_pages();
  marks(argv[1]);
  clock_of_init();
  record_locks(argv[1], F_SETLK, "record locks");
  record_locks(argv[1], F_SETLKW, "patient record locks");
  record_locks(argv[1], F_OFD_SETLK, "locks of a description");
  record_locks(argv[1], F_OFD_SETLKW, "patient locks of a description");
  shared_locks(argv[1]);
  owners_and_names(argv[1]);
  timers();
  domains();
  networks();
  queues_and_caches(argv[1]);
  return 0;
}
