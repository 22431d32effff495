// burn_cpu_ms MILLISECONDS [THREADS]: each thread uses so much CPU time. Prints what the process used, in nanoseconds.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static long long milliseconds;
static long long used(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}
static void* burn(void* unused) {
  while (used(CLOCK_THREAD_CPUTIME_ID) < milliseconds * 1000000)
    for (volatile int n = 0; n < 1000; ++n) {
    }
  return unused;
}
int main(int argc, char** argv) {
  milliseconds = atoll(argv[1]);
  int threads = argc > 2 ? atoi(argv[2]) : 1;
  pthread_t others[64];
  for (int i = 1; i < threads; ++i)
    if (pthread_create(&others[i], 0, burn, 0)) return 9;
  burn(0);
  for (int i = 1; i < threads; ++i) pthread_join(others[i], 0);
  printf("%lld\n", used(CLOCK_PROCESS_CPUTIME_ID));
}
