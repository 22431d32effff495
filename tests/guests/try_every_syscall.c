// try_every_syscall ABI FIRST LAST: each number in a process of its own, with arguments that mean nothing. One line each:
// the number and "ok", an error, or the signal that ended it. ABI is x64, x32 or i386.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static long call_x64(long number) {
  register long r10 __asm__("r10") = -1, r8 __asm__("r8") = -1, r9 __asm__("r9") = -1;
  long result = number;
  __asm__ volatile("syscall" : "+a"(result) : "D"(-1L), "S"(-1L), "d"(-1L), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
  return result;
}
static long call_i386(long number) {
  long result = number;
  __asm__ volatile("int $0x80" : "+a"(result) : "b"(-1L), "c"(-1L), "d"(-1L), "S"(-1L), "D"(-1L) : "r8", "r9", "r10", "r11", "memory");
  return (int)result;
}
int main(int argc, char** argv) {
  int abi = argv[1][1] == '6' ? 64 : argv[1][1] == '3' && argv[1][0] == 'x' ? 32 : 3;
  for (long number = atol(argv[2]); number <= atol(argv[3]); ++number) {
    int told[2];
    (void)!pipe(told);
    pid_t child = fork();
    if (child == 0) {
      alarm(1);
      pid_t self = getpid();
      long result = abi == 3 ? call_i386(number) : call_x64(abi == 32 ? number | 0x40000000 : number);
      if (getpid() != self) _exit(0);
      (void)!write(told[1], &result, sizeof result);
      _exit(0);
    }
    close(told[1]);
    long result = 0;
    int has = read(told[0], &result, sizeof result) == sizeof result, status = 0;
    close(told[0]);
    kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (has && result < 0 && result > -4096)
      printf("%ld %s\n", number, strerrorname_np(-result) ? strerrorname_np(-result) : "unknown");
    else if (has)
      printf("%ld ok\n", number);
    else
      printf("%ld signal %d\n", number, WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  }
}
