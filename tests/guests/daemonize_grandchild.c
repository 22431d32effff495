// daemonize_grandchild MILLISECONDS MARK: the main process ends once its grandchild, in a session of its own and deaf to
// signals, has used so much CPU time; the grandchild goes on for ever and carries MARK in its command line.
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static long long used(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}
int main(int argc, char** argv) {
  int ready[2];
  char byte = 0;
  if (pipe(ready) < 0) return 1;
  if (fork() == 0) {
    setsid();
    if (fork() != 0) _exit(0);
    for (int signal_number = 1; signal_number < 64; ++signal_number) signal(signal_number, SIG_IGN);
    while (used() < atoll(argv[1])) {
    }
    (void)!write(ready[1], &byte, 1);
    for (;;) pause();
  }
  (void)!read(ready[0], &byte, 1);
  return 0;
}
