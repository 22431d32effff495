// burn THREADS NANOSECONDS: so many threads until the process's own clock has advanced that far;
// then prints that clock.
#include "guest.h"

enum { kMostThreads = 8, kStackSize = 16384, kFutexWait = 0 };
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
    if (start_thread(thread, stacks[i] + kStackSize, &alive[i]) < 0) return 3;
  burn();
  for (int i = 1; i < threads; ++i)
    join(i);
  print_number(own_cpu_ns());
  return 0;
}
