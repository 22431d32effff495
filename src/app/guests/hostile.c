// hostile KIND: does harm of one kind for as long as it is let. What it may not do it tries again;
// kinds that leave something behind end with 0 once it is there.
#include "guest.h"

enum {
  kMost = 4096,
  kStackSize = 1024,
  kReadWrite = 3,
  kPrivateAnonymous = 0x22,
  kCreateWrite = 0101 | 01000,  // O_WRONLY O_CREAT O_TRUNC
};

static char block[1 << 16];
static char stacks[kMost][kStackSize] __attribute__((aligned(16)));
static volatile int numbers[kMost];

static void spin(void) {
  for (;;)
    spend(1 << 20);
}

// Changes into the next of all names.
static void next_name(char* name) {
  while (*name == 'z')
    *name++ = 'a';
  if (*name != 0) ++*name;
}

static void forks(void) {
  for (;;)
    call(__NR_fork, 0, 0, 0, 0);
}

static long map(unsigned long size) {
  register long fd __asm__("r8") = -1;
  register long offset __asm__("r9") = 0;
  register long flags __asm__("r10") = kPrivateAnonymous;
  long result = __NR_mmap;
  __asm__ volatile("syscall"
                   : "+a"(result)
                   : "D"(0L), "S"(size), "d"((long)kReadWrite), "r"(flags), "r"(fd), "r"(offset)
                   : "rcx", "r11", "memory");
  return result;
}

static void memory(void) {
  enum { kSize = 1 << 20 };
  for (;;) {
    const long place = map(kSize);
    for (long at = 0; place > 0 && at < kSize; at += 4096)
      *(volatile char*)(place + at) = 1;
  }
}

static void write_forever(long fd) {
  for (;;)
    call(__NR_write, fd, (long)block, sizeof block, 0);
}

static void pipe_flood(void) {
  write_forever(1);
}

static void file_flood(void) {
  write_forever(call(__NR_open, (long)"flood", kCreateWrite, 0644, 0));
}

// Files until there is room for none, each of `size`; then the same again.
static void fill(long size) {
  char name[] = "aaaa";
  for (;; next_name(name)) {
    const long fd = call(__NR_open, (long)name, kCreateWrite, 0644, 0);
    for (long left = size; left > 0 && fd >= 0; left -= (long)sizeof block)
      if (call(__NR_write, fd, (long)block, sizeof block, 0) <= 0) break;
    if (fd >= 0) call(__NR_close, fd, 0, 0, 0);
  }
}

static void disk(void) {
  fill(1 << 20);
}

static void inodes(void) {
  fill(0);
}

static void start_spinners(int most) {
  for (int i = 0; i < most; ++i)
    if (start_thread(spin, stacks[i] + kStackSize, &numbers[i]) < 0) break;
  spin();
}

static void threads(void) {
  start_spinners(63);
}

static void thread_bomb(void) {
  start_spinners(kMost);
}

static void grandchild(void) {
  if (call(__NR_fork, 0, 0, 0, 0) != 0) return;
  call(__NR_setsid, 0, 0, 0, 0);
  if (call(__NR_fork, 0, 0, 0, 0) != 0) return;
  for (int fd = 0; fd < 3; ++fd)
    call(__NR_close, fd, 0, 0, 0);
  spin();
}

static void links(void) {
  call(__NR_symlink, (long)"/etc/passwd", (long)"out", 0, 0);
}

static void modes(void) {
  call(__NR_mkdir, (long)"d", 0700, 0, 0);
  call(__NR_close, call(__NR_open, (long)"d/f", kCreateWrite, 0644, 0), 0, 0, 0);
  call(__NR_chmod, (long)"d/f", 0, 0, 0);
  call(__NR_chmod, (long)"d", 0, 0, 0);
  call(__NR_chmod, (long)".", 0, 0, 0);
}

static void objects(void) {
  enum { kCreate = 01000 | 0600 };
  for (int i = 1; i < 20; ++i) {
    call(__NR_shmat, call(__NR_shmget, i, 4096, kCreate, 0), 0, 0, 0);
    call(__NR_semget, i, 1, kCreate, 0);
    call(__NR_msgget, i, kCreate, 0, 0);
  }
}

static void depth(void) {
  for (int i = 0; i < 3000; ++i) {
    if (call(__NR_mkdir, (long)"d", 0700, 0, 0) < 0) return;
    if (call(__NR_chdir, (long)"d", 0, 0, 0) < 0) return;
  }
}

// Everybody, its own group, and itself, with signals that it ignores.
static void signals(void) {
  struct {
    long handler;
    unsigned long flags, restorer, mask;
  } ignore = {1, 0, 0, 0};
  for (long number = 1; number < 65; ++number)
    call(__NR_rt_sigaction, number, (long)&ignore, 0, 8);
  for (long number = 1;; number = number % 64 + 1) {
    if (number == 9 || number == 19) continue;
    call(__NR_kill, -1, number, 0, 0);
    call(__NR_kill, 0, number, 0, 0);
    call(__NR_kill, 1, number, 0, 0);
  }
}

static const struct {
  const char* name;
  void (*act)(void);
} kKinds[] = {
    {"forks", forks},
    {"memory", memory},
    {"pipe-flood", pipe_flood},
    {"file-flood", file_flood},
    {"disk", disk},
    {"inodes", inodes},
    {"threads", threads},
    {"thread-bomb", thread_bomb},
    {"grandchild", grandchild},
    {"links", links},
    {"modes", modes},
    {"objects", objects},
    {"depth", depth},
    {"signals", signals},
};

static int same(const char* a, const char* b) {
  for (; *a != 0 && *a == *b; ++a)
    ++b;
  return *a == *b;
}

int run(int argc, char** argv) {
  for (unsigned i = 0; argc == 2 && i < sizeof kKinds / sizeof *kKinds; ++i)
    if (same(argv[1], kKinds[i].name)) {
      kKinds[i].act();
      return 0;
    }
  return 2;
}
