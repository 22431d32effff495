// make_syscall NUMBER [i386]: one call with zeros, after a line that shows it got so far; then what it gave.
#include "attempt.h"
int main(int argc, char** argv) {
  (void)!write(1, "before\n", 7);
  long number = strtol(argv[1], 0, 0);
  if (argc == 2) return ATTEMPT("after", syscall(number, 0, 0, 0, 0, 0, 0)) < 0;
  __asm__ volatile("int $0x80" : "+a"(number) : "b"(0L), "c"(0L), "d"(0L), "S"(0L), "D"(0L) : "r8", "r9", "r10", "r11", "memory");
  errno = -(int)number;
  return attempt("after", (int)number) < 0;
}
