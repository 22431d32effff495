// What the bench's guests share: the kernel without libc, so that their start costs next to
// nothing.
#pragma once

#include <asm/unistd.h>

static inline long call(long number, long a, long b, long c, long d) {
  register long r10 __asm__("r10") = d;
  __asm__ volatile("syscall"
                   : "+a"(number)
                   : "D"(a), "S"(b), "d"(c), "r"(r10)
                   : "rcx", "r11", "memory");
  return number;
}

static inline unsigned long long own_cpu_ns(void) {
  struct {
    long long seconds, nanoseconds;
  } time;
  call(__NR_clock_gettime, 2 /* CLOCK_PROCESS_CPUTIME_ID */, (long)&time, 0, 0);
  return (unsigned long long)time.seconds * 1000000000ULL + (unsigned long long)time.nanoseconds;
}

static inline unsigned long long number_in(const char* text) {
  unsigned long long value = 0;
  for (; *text >= '0' && *text <= '9'; ++text)
    value = value * 10 + (unsigned long long)(*text - '0');
  return value;
}

static inline void print_number(unsigned long long value) {
  char text[24];
  char* at = text + sizeof text;
  *--at = '\n';
  do {
    *--at = (char)('0' + value % 10);
    value /= 10;
  } while (value != 0);
  call(__NR_write, 1, (long)at, text + sizeof text - at, 0);
}

static inline void spend(unsigned long long rounds) {
  unsigned long long x = rounds | 1;
  for (unsigned long long i = 0; i < rounds; ++i)
    __asm__ volatile("imul $1103515245, %0, %0\n\tadd $12345, %0" : "+r"(x));
}

// A thread of this process that runs entry(), which must not return. `number` is cleared when it is
// on its way out. The compiler may not know that only the parent comes back: nothing is inlined.
__attribute__((noinline, unused)) static long start_thread(void (*entry)(void), char* stack_end,
                                                           volatile int* number) {
  enum {
    kThreadFlags = 0x100 | 0x200 | 0x400 | 0x800 | 0x10000 |
                   0x40000 |             // VM FS FILES SIGHAND THREAD SYSVSEM
                   0x100000 | 0x200000,  // PARENT_SETTID CHILD_CLEARTID
  };
  register long ended __asm__("r10") = (long)number;
  register long tls __asm__("r8") = 0;
  long result = __NR_clone;
  __asm__ volatile(
      "syscall\n\ttest %%rax, %%rax\n\tjnz 1f\n\txor %%ebp, %%ebp\n\tcall *%[entry]\n1:"
      : "+a"(result)
      : "D"((long)kThreadFlags), "S"(stack_end), "d"(number), "r"(ended),
        "r"(tls), [entry] "b"(entry)
      : "rcx", "r11", "memory");
  return result;
}

int run(int argc, char** argv);

__attribute__((noreturn, used)) static void begin(long* stack) {
  call(__NR_exit_group, run((int)stack[0], (char**)(stack + 1)), 0, 0, 0);
  __builtin_unreachable();
}

__attribute__((naked, noreturn)) void _start(void) {
  __asm__("xor %ebp, %ebp\n\tmov %rsp, %rdi\n\tand $-16, %rsp\n\tcall begin\n\tud2");
}
