// Tries to have no limit of 1 for core dumps, which is what keeps them from a helper of the host: 0 does not. Tells the limit.
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
  struct rlimit none = {0, 0}, now;
  setrlimit(RLIMIT_CORE, &none);
  syscall(SYS_setrlimit, RLIMIT_CORE | 1UL << 32, &none);
  syscall(SYS_prlimit64, 0, RLIMIT_CORE, &none, 0);
  if (syscall(SYS_prlimit64, getpid(), RLIMIT_CORE | 1UL << 32, &none, &now) == 0) printf("no old limit was told\n");
  // Half of this address is zero.
  struct rlimit* apart = mmap((void*)(1UL << 32), 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (apart != MAP_FAILED) syscall(SYS_prlimit64, 0, RLIMIT_CORE, apart, 0);
  if (syscall(SYS_prlimit64, 0, RLIMIT_CORE, 0, &now) != 0) return 1;
  printf("%lu %lu%s\n", now.rlim_cur, now.rlim_max, apart == MAP_FAILED ? ", and not all was tried" : "");
  return 0;
}
