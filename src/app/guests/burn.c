// burn THREADS NANOSECONDS: so many threads until the process's own clock has advanced that far;
// then prints that clock.
#include "guest.h"

enum { kMostThreads = 8, kStackSize = 16384, kFutexWait = 0 };
enum {
  kThreadFlags = 0x100 | 0x200 | 0x400 | 0x800 | 0x10000 |
                 0x40000 |             // VM FS FILES SIGHAND THREAD SYSVSEM
                 0x100000 | 0x200000,  // PARENT_SETTID CHILD_CLEARTID
};

static unsigned long long target;
static volatile int alive[kMostThreads];
static char stacks[kMostThreads][kStackSize] __attribute__((aligned(16)));

static void burn(void) {
  while (own_cpu_ns() < target)
    spend(5000);
}

__attribute__((noreturn)) static void thread(void) {
  burn();
  call(__NR_exit, 0, 0, 0, 0);
  __builtin_unreachable();
}

static long start_thread(int index) {
  register long ended __asm__("r10") = (long)&alive[index];
  register long tls __asm__("r8") = 0;
  long result = __NR_clone;
  __asm__ volatile(
      "syscall\n\ttest %%rax, %%rax\n\tjnz 1f\n\txor %%ebp, %%ebp\n\tcall *%[entry]\n1:"
      : "+a"(result)
      : "D"((long)kThreadFlags), "S"(stacks[index] + kStackSize), "d"(&alive[index]), "r"(ended),
        "r"(tls), [entry] "b"(thread)
      : "rcx", "r11", "memory");
  return result;
}

// The kernel clears a thread's number when the thread is on its way out: all but a few microseconds
// are in the clock.
static void join(int index) {
  for (int number = alive[index]; number != 0; number = alive[index])
    call(__NR_futex, (long)&alive[index], kFutexWait, number, 0);
}

int run(int argc, char** argv) {
  if (argc != 3) return 2;
  const int threads = (int)number_in(argv[1]);
  target = number_in(argv[2]);
  if (threads < 1 || threads > kMostThreads) return 2;
  for (int i = 1; i < threads; ++i)
    if (start_thread(i) < 0) return 3;
  burn();
  for (int i = 1; i < threads; ++i)
    join(i);
  print_number(own_cpu_ns());
  return 0;
}
