#include "sandbox/warden/guard.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

#include <cstdint>

#include "sandbox/warden/syscalls.h"

namespace assay::sandbox::warden {
namespace {

using Program = std::vector<sock_filter>;

constexpr std::uint16_t kLoad = BPF_LD | BPF_W | BPF_ABS;
constexpr std::uint16_t kIfEqual = BPF_JMP | BPF_JEQ | BPF_K;
constexpr std::uint16_t kIfGreater = BPF_JMP | BPF_JGT | BPF_K;
constexpr std::uint16_t kIfGreaterOrEqual = BPF_JMP | BPF_JGE | BPF_K;
constexpr std::uint16_t kReturn = BPF_RET | BPF_K;
constexpr std::uint32_t kNumberAt = offsetof(seccomp_data, nr);
constexpr std::uint32_t kArgumentsAt = offsetof(seccomp_data, args);  // their low halves first

// Files of the host are the same in every box, and who may only read one can still leave a mark on
// it that the next run finds: make huge pages of what is cached of it (MADV_COLLAPSE), or say how
// long it is to live (F_SET_RW_HINT, F_SET_FILE_RW_HINT; kernels before 6.13 ask for no right). An
// older kernel says EINVAL to all of them. Only the low half of these arguments is looked at by the
// kernel. Ends with the number loaded.
Program without_marks() {
  constexpr std::uint32_t kAdvice = kArgumentsAt + 2 * 8, kCommand = kArgumentsAt + 1 * 8;
  constexpr std::uint32_t kCollapse = 25, kSetHint = 1036, kSetFileHint = 1038;
  constexpr std::uint32_t kRefuse = SECCOMP_RET_ERRNO | EINVAL;
  return {
      {kLoad, 0, 0, kNumberAt},       {kIfEqual, 0, 4, __NR_madvise}, {kLoad, 0, 0, kAdvice},
      {kIfEqual, 0, 1, kCollapse},    {kReturn, 0, 0, kRefuse},       {kLoad, 0, 0, kNumberAt},
      {kIfEqual, 0, 5, __NR_fcntl},   {kLoad, 0, 0, kCommand},        {kIfEqual, 1, 0, kSetHint},
      {kIfEqual, 0, 1, kSetFileHint}, {kReturn, 0, 0, kRefuse},       {kLoad, 0, 0, kNumberAt},
  };
}

}  // namespace

// What goes before the rules: a number nobody has vetted returns ENOSYS, as on a kernel without it,
// unless a rule lists it. That covers x32 (its bit makes the number large) and -1. A decision by
// number alone, so allowed calls stay cacheable.
std::vector<sock_filter> guard(std::span<const int> listed) {
  const auto extra = static_cast<std::uint8_t>(listed.size());
  Program program = without_marks();
  program.insert(program.end(),
                 {
                     {kIfGreater, 2, 0, kLastVetted},
                     {kIfGreaterOrEqual, static_cast<std::uint8_t>(extra + 2), 0, kGapEnd},
                     {kIfGreaterOrEqual, 0, static_cast<std::uint8_t>(extra + 1), kGapBegin},
                 });
  auto to_rules = extra;  // instructions between the one after the next and the rules
  for (const int number : listed)
    program.push_back({kIfEqual, to_rules--, 0, static_cast<std::uint32_t>(number)});
  program.push_back({kReturn, 0, 0, SECCOMP_RET_ERRNO | ENOSYS});
  return program;
}

}  // namespace assay::sandbox::warden
