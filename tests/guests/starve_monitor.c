// Many busy threads that ask for every priority there is.
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
static void* spin(void* unused) {
  struct sched_param urgent = {99};
  sched_setscheduler(0, SCHED_FIFO, &urgent);
  sched_setscheduler(0, SCHED_RR, &urgent);
  setpriority(PRIO_PROCESS, 0, -20);
  for (volatile unsigned n = 0;; ++n) sched_yield();
}
int main() {
  pthread_t thread;
  for (int i = 0; i < 30; ++i) pthread_create(&thread, 0, spin, 0);
  spin(0);
}
