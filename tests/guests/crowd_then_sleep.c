// crowd_then_sleep THREADS BURN_MS SLEEP_MS: so many threads burn that much cpu together, and then sleep.
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
static long each_ns, sleep_ms;
static long used_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}
static void* burn_then_sleep(void* unused) {
  while (used_ns() < each_ns) {
  }
  const struct timespec nap = {sleep_ms / 1000, sleep_ms % 1000 * 1000000};
  nanosleep(&nap, 0);
  return unused;
}
int main(int argc, char** argv) {
  static pthread_t threads[256];
  const int count = atoi(argv[1]);
  each_ns = atol(argv[2]) * 1000000L / count;
  sleep_ms = atol(argv[3]);
  for (int i = 0; i < count; ++i)
    if (pthread_create(&threads[i], 0, burn_then_sleep, 0) != 0) return 3;
  for (int i = 0; i < count; ++i) pthread_join(threads[i], 0);
  return 0;
}
