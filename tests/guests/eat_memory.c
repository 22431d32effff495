// eat_memory KIND MIB: takes so much memory of one kind, and says "eaten" if it got it, or why it was refused.
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
static size_t size;
static void touch(char* memory) {
  if (memory == MAP_FAILED) exit(3);
  for (size_t at = 0; at < size; at += 4096) memory[at] = 1;
}
static void fill(int fd) {
  static char block[1 << 20];
  for (size_t done = 0; done < size; done += sizeof block)
    if (write(fd, block, sizeof block) < 0) exit(4);
}
static char stack(size_t left) {
  volatile char frame[65536];
  for (int i = 0; i < sizeof frame; i += 4096) frame[i] = 1;
  return left > sizeof frame ? stack(left - sizeof frame) + frame[0] : 0;
}
static void ends(int kind) {  // of pipes or sockets, filled to the brim
  static char block[65536];
  for (size_t done = 0; done < size;) {
    int pair[2];
    if ((kind ? socketpair(AF_UNIX, SOCK_STREAM, 0, pair) : pipe(pair)) < 0) exit(5);
    fcntl(pair[1], F_SETFL, O_NONBLOCK);
    if (!kind) fcntl(pair[1], F_SETPIPE_SZ, 1 << 20);
    for (long wrote; (wrote = write(pair[1], block, sizeof block)) > 0;) done += wrote;
  }
}
static void refused(void) {
  puts(strerrorname_np(errno));
  exit(0);
}
// Everybody watches everything: the kernel keeps some 200 bytes for each pair.
static void watches(void) {
  int watched[448];
  for (int i = 0; i < 448; ++i)
    if ((watched[i] = eventfd(0, 0)) < 0) refused();
  for (size_t done = 0; done < size;) {
    int watcher = epoll_create1(0);
    if (watcher < 0) refused();
    struct epoll_event event = {EPOLLIN};
    for (int i = 0; i < 448; ++i, done += 128)
      if (epoll_ctl(watcher, EPOLL_CTL_ADD, watched[i], &event) < 0) refused();
  }
}
// Empty files with long names: all of it is the kernel's, and none of it can be thrown away.
static void names(void) {
  char name[256];
  for (size_t done = 0; done < size; done += 1024) {
    snprintf(name, sizeof name, "/tmp/%0240zu", done);
    if (mknod(name, 0100644, 0) < 0) refused();
  }
}
// Names that are not there, which the kernel remembers for as long as there is room.
static void absent(void) {
  char name[256];
  for (size_t done = 0; done < size; done += 448) {
    snprintf(name, sizeof name, "/usr/%0240zu", done);
    if (access(name, F_OK) == 0 || errno != ENOENT) refused();
  }
}
// Files of the host, until so much of them was read: the cache is charged to who reads first.
static size_t has_read;
static int read_one(const char* name, const struct stat* found, int kind, struct FTW* where) {
  static char block[1 << 20];
  int file = kind == FTW_F ? open(name, O_RDONLY) : -1;
  if (file >= 0) posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  for (long got; file >= 0 && has_read < size && (got = read(file, block, sizeof block)) > 0;) has_read += got;
  if (file >= 0) close(file);
  return has_read >= size;
}
static void cache(const char* directory) {
  if (nftw(directory, read_one, 16, FTW_PHYS) != 1) exit(6);
}
int main(int argc, char** argv) {
  const char* kind = argv[1];
  size = strtoul(argv[2], 0, 10) << 20;
  int everyone = PROT_READ | PROT_WRITE;
  if (!strcmp(kind, "private")) touch(mmap(0, size, everyone, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (!strcmp(kind, "shared")) touch(mmap(0, size, everyone, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (!strcmp(kind, "populate")) touch(mmap(0, size, everyone, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0));
  if (!strcmp(kind, "overcommit"))  // sixty-four times as much is promised
    touch(mmap(0, size * 64, everyone, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  if (!strcmp(kind, "swap")) {  // all that was touched is sent away at once, if there is anywhere to go
    char* memory = mmap(0, size, everyone, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (size_t at = 0; at < size; at += 1 << 20) {
      memset(memory + at, 1, 1 << 20);
      madvise(memory + at, 1 << 20, MADV_PAGEOUT);
    }
  }
  if (!strcmp(kind, "huge")) {
    char* memory = mmap(0, size, everyone, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(memory, size, MADV_HUGEPAGE);
    touch(memory);
  }
  if (!strcmp(kind, "memfd")) fill(memfd_create("eaten", 0));
  if (!strcmp(kind, "tmpfs")) fill(open("/tmp/eaten", O_CREAT | O_WRONLY, 0644));
  if (!strcmp(kind, "shm")) fill(open("/dev/shm/eaten", O_CREAT | O_WRONLY, 0644));
  if (!strcmp(kind, "unlinked")) {
    int fd = open("/tmp/eaten", O_CREAT | O_WRONLY, 0644);
    unlink("/tmp/eaten");
    fill(fd);
  }
  if (!strcmp(kind, "sysv")) touch(shmat(shmget(IPC_PRIVATE, size, 0600), 0, 0));
  if (!strcmp(kind, "stack")) stack(size);
  if (!strcmp(kind, "pipes")) ends(0);
  if (!strcmp(kind, "sockets")) ends(1);
  if (!strcmp(kind, "epoll")) watches();
  if (!strcmp(kind, "dentries")) names();
  if (!strcmp(kind, "absent")) absent();
  if (!strcmp(kind, "cache")) cache("/usr");
  if (!strcmp(kind, "fork")) {  // each below the limit, together above it
    for (int i = 0; i < 4; ++i)
      if (fork() == 0) {
        size /= 4;
        touch(mmap(0, size, everyone, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        for (;;) pause();
      }
    for (;;) pause();
  }
  puts("eaten");
}
