// make_syscall NUMBER [i386]: one call with zeros, after a line that shows it got so far.
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char** argv) {
  (void)!write(1, "before\n", 7);
  long number = strtol(argv[1], 0, 0);
  if (argc > 2)
    __asm__ volatile("int $0x80" : "+a"(number) : "b"(0L), "c"(0L), "d"(0L), "S"(0L), "D"(0L) : "memory");
  else
    syscall(number, 0, 0, 0, 0, 0, 0);
  (void)!write(1, "after\n", 6);
}
