// do_as_told [MARK]: one order per line of stdin, each answered with "ok" when it is done.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static void burn(long ms) {
  struct timespec t;
  do clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < ms);
}
static long burnt(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
int main(void) {
  char line[64];
  char* taken = NULL;
  long size = 0;
  while (fgets(line, sizeof line, stdin)) {
    char order[32] = "";
    long n = 0;
    sscanf(line, "%31s %ld", order, &n);
    if (!strcmp(order, "burn")) burn(burnt() + n);
    if (!strcmp(order, "child")) {
      if (fork() == 0) { burn(n); _exit(0); }
      wait(NULL);
    }
    if (!strcmp(order, "orphans")) {  // that ignore everything and leave the session
      for (long i = 0; i < n; ++i)
        if (fork() == 0) {
          if (fork() != 0) _exit(0);
          setsid();
          for (int s = 1; s < 65; ++s) signal(s, SIG_IGN);
          for (;;) pause();
        }
      for (long i = 0; i < n; ++i) wait(NULL);
    }
    if (!strcmp(order, "take")) {
      size = n << 20;
      taken = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      memset(taken, 1, size);
    }
    if (!strcmp(order, "free")) munmap(taken, size);
    if (!strcmp(order, "exit")) exit((int)n);
    if (!strcmp(order, "exit_after_ms")) { usleep(n * 1000); exit(0); }
    if (!strcmp(order, "raise")) raise((int)n);
    if (!strcmp(order, "crash")) *(volatile int*)8 = 1;
    if (!strcmp(order, "close")) { close(1); continue; }
    if (!strcmp(order, "spin")) for (;;) {}
    if (!strcmp(order, "flood")) for (;;) (void)!write(1, line, sizeof line);
    if (!strcmp(order, "flood_kib")) { for (long i = 0; i < n * 16; ++i) (void)!write(1, line, sizeof line); exit(0); }
    (void)!write(1, "ok\n", 3);
  }
}
