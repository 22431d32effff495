// Tries to leave a sign on its own executable and on a file of the host, for the next run to find, and tells what it finds.
#include "attempt.h"
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static void mark(const char* path) {
  const long size = 2 << 20;
  uint64_t hint = 4;
  int file = open(path, O_RDONLY);
  char* room = mmap(0, 2 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  room = (char*)(((uintptr_t)room + size - 1) & -(uintptr_t)size);
  if (mmap(room, size, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0) != room) dprintf(1, "not mapped\n");
  ATTEMPT("huge pages", madvise(room, size, 25 /* MADV_COLLAPSE */));
  ATTEMPT("huge pages by a large number", syscall(28, room, size, 25 | 1L << 32));
  ATTEMPT("hint", fcntl(file, 1036 /* F_SET_RW_HINT */, &hint));
  struct flock lock = {F_RDLCK, SEEK_SET, 7, 11};
  dprintf(1, "record lock %s\n", fcntl(file, F_SETLK, &lock) == 0 ? "set" : errno == ENOLCK ? "refused" : "failed");
  ATTEMPT("hint of the file", fcntl(file, 1038 /* F_SET_FILE_RW_HINT */, &hint));
}

int main(int argc, char** argv) {
  char bytes[8] = "?";
  int own = open("/proc/self/exe", O_RDONLY);
  dprintf(1, "called %s, ", argv[0]);
  dprintf(1, "beside it %s\n", access("guest", F_OK) == 0 ? "a file" : "nothing");
  long got = pread(own, bytes, 8, 8);
  dprintf(1, "bytes 8..16 %s\n", got == 8 && memcmp(bytes, "\0\0\0\0\0\0\0\0", 8) == 0 ? "untouched" : "changed");
  ATTEMPT("open to write", open("/proc/self/exe", O_RDWR));
  mark("/proc/self/exe");
  mark("/usr/lib/x86_64-linux-gnu/libc.so.6");
  return argc - 1;
}
