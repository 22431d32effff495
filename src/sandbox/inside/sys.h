// System calls without libc: no errno, no thread state, no cancellation. A negative result is
// -errno.
//
// Every call carries the box's key in the sixth argument register, so that the box's own filter
// lets it pass. None of the calls made in here has six arguments.
#pragma once

#include <asm/errno.h>
#include <asm/unistd.h>
#include <linux/sched.h>
#include <linux/types.h>

#include <cstddef>
#include <cstdint>

#if !defined(__x86_64__)
#error "sandbox/inside knows x86-64 only"
#endif

namespace assay::sandbox::inside {

extern std::uint64_t filter_key;

inline long call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0) noexcept {
  long result = number;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register std::uint64_t r9 asm("r9") = filter_key;
  asm volatile("syscall"
               : "+a"(result)
               : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

inline long address(const volatile void* pointer) noexcept {
  return reinterpret_cast<long>(pointer);
}

// Clones; the child runs entry() on the stack named in `args` and must not return from it.
inline long clone_onto(const clone_args& args, void (*entry)()) noexcept {
  long result = __NR_clone3;
  register std::uint64_t r9 asm("r9") = filter_key;
  asm volatile(
      "syscall\n\t"
      "test %%rax, %%rax\n\t"
      "jnz 1f\n\t"
      "xor %%ebp, %%ebp\n\t"
      "call *%[entry]\n\t"
      "ud2\n"
      "1:"
      : "+a"(result)
      : "D"(&args), "S"(sizeof args), [entry] "r"(entry), "r"(r9)
      : "rcx", "r11", "memory");
  return result;
}

[[noreturn]] inline void leave(int code) noexcept {
  for (;;)
    call(__NR_exit_group, code);
}

inline void close_fd(int fd) noexcept {
  call(__NR_close, fd);
}

inline std::size_t length(const char* text) noexcept {
  std::size_t n = 0;
  while (text[n] != '\0')
    ++n;
  return n;
}

inline std::uint64_t now_ns(int clock) noexcept {
  struct {
    long seconds, nanoseconds;
  } time{};
  call(__NR_clock_gettime, clock, address(&time));
  return static_cast<std::uint64_t>(time.seconds) * 1'000'000'000 +
         static_cast<std::uint64_t>(time.nanoseconds);
}

}  // namespace assay::sandbox::inside
