// evade_cpu KIND MILLISECONDS: uses so much CPU time where a careless meter does not look. Prints what all of it used, in nanoseconds.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static long long limit;
static long long of_others;  // told by those whom no clock of ours includes
static long long nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}
static long long used(void) { return nanoseconds() / 1000000; }
static long long of_children(void) {
  struct rusage all;
  getrusage(RUSAGE_CHILDREN, &all);
  return (all.ru_utime.tv_sec + all.ru_stime.tv_sec) * 1000000000LL + (all.ru_utime.tv_usec + all.ru_stime.tv_usec) * 1000LL;
}
static void tell(int whom) {
  of_others = nanoseconds();
  (void)!write(whom, &of_others, sizeof of_others);
}
static void burn(void) {
  while (used() < limit) {
  }
}
// Hardly a system call.
static void burn_as_user(void) {
  while (used() < limit)
    for (volatile int i = 0; i < 1000000; ++i) {
    }
}
static void* burn_in_thread(void* unused) {
  burn();
  return unused;
}
int main(int argc, char** argv) {
  const char* kind = argv[1];
  limit = atoll(argv[2]);
  int done[2];
  (void)!pipe(done);
  if (!strcmp(kind, "child")) {
    if (!fork()) burn(), _exit(0);
    wait(0);
  } else if (!strcmp(kind, "unwaited")) {  // never reaped, so no rusage
    signal(SIGCHLD, SIG_IGN);
    if (!fork()) {
      burn();
      tell(done[1]);
      _exit(0);
    }
    (void)!read(done[0], &of_others, sizeof of_others);
  } else if (!strcmp(kind, "user")) {
    burn_as_user();
  } else if (!strcmp(kind, "unwaited_user")) {
    signal(SIGCHLD, SIG_IGN);
    if (!fork()) {
      burn_as_user();
      tell(done[1]);
      _exit(0);
    }
    (void)!read(done[0], &of_others, sizeof of_others);
  } else if (!strcmp(kind, "orphan")) {
    if (!fork()) {
      if (!fork()) {
        setsid();
        burn();
        tell(done[1]);
      }
      _exit(0);
    }
    (void)!read(done[0], &of_others, sizeof of_others);
  } else if (!strcmp(kind, "thread")) {
    pthread_t thread;
    if (pthread_create(&thread, 0, burn_in_thread, 0)) return 9;
    pthread_join(thread, 0);
  } else if (!strcmp(kind, "vfork")) {
    if (!vfork()) burn(), of_others = nanoseconds(), _exit(0);  // in our memory
  } else if (!strcmp(kind, "nice")) {
    setpriority(PRIO_PROCESS, 0, 19);
    burn();
  } else if (!strcmp(kind, "kernel")) {
    int zero = open("/dev/zero", O_RDONLY);
    char* space = mmap(0, 64 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    while (used() < limit) {
      (void)!read(zero, space, 64 << 20);
      madvise(space, 64 << 20, MADV_DONTNEED);
    }
  } else if (!strcmp(kind, "exec")) {  // CPU time of a process survives exec; restart counts down in small steps
    for (long long until = used() + 5; used() < until;) {
    }
    if (used() < limit) execv(argv[0], argv);
  } else if (!strcmp(kind, "many")) {  // a new process for every few milliseconds
    long long slice = limit / 100 > 4 ? limit / 100 : 4;
    for (long long spent = 0; spent < limit; spent += slice)
      if (!fork()) {
        limit = slice;
        burn();
        _exit(0);
      } else {
        wait(0);
      }
  } else if (!strcmp(kind, "stop")) {
    raise(SIGSTOP);
  } else if (!strcmp(kind, "select")) {
    select(0, 0, 0, 0, 0);
  }
  printf("%lld\n", nanoseconds() + of_children() + of_others);
  return 0;
}
