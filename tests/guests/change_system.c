// Tries to change what all boxes might see of the system: names, clocks. Then how it looks: its names, and how long it is up by each clock.
#include "attempt.h"
#include <sys/sysinfo.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/utsname.h>
#include <time.h>
int main() {
  struct timespec early = {1, 0}, up;
  struct timex change = {.modes = ADJ_SETOFFSET, .time = {3600, 0}};
  ATTEMPT("sethostname", sethostname("left", 4));
  ATTEMPT("setdomainname", setdomainname("left", 4));
  ATTEMPT("adjtimex", adjtimex(&change));
  ATTEMPT("set real clock", clock_settime(CLOCK_REALTIME, &early));
  ATTEMPT("set monotonic clock", clock_settime(CLOCK_MONOTONIC, &early));
  ATTEMPT("set boot clock", clock_settime(CLOCK_BOOTTIME, &early));
  struct utsname names;
  struct sysinfo system;
  uname(&names);
  dprintf(1, "names: %s %s\n", names.nodename, names.domainname);
  clock_gettime(CLOCK_BOOTTIME, &up);
  sysinfo(&system);
  dprintf(1, "clock: %ld\nsysinfo: %ld\n", (long)up.tv_sec, system.uptime);
}
