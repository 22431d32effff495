// What the kernel would decide: an interpreter for the instructions that system call filters use.
#pragma once

#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

namespace assay::sandbox::warden {

using Arguments = std::array<std::uint64_t, 6>;

inline seccomp_data call_data(int number, const Arguments& arguments = {},
                              std::uint32_t architecture = AUDIT_ARCH_X86_64) {
  seccomp_data data{};
  data.nr = number;
  data.arch = architecture;
  std::memcpy(data.args, arguments.data(), sizeof data.args);
  return data;
}

// Whether a conditional jump is taken.
inline bool holds(const sock_filter& instruction, std::uint32_t value) {
  switch (BPF_OP(instruction.code)) {
    case BPF_JEQ:
      return value == instruction.k;
    case BPF_JGT:
      return value > instruction.k;
    case BPF_JGE:
      return value >= instruction.k;
    case BPF_JSET:
      return (value & instruction.k) != 0;
    default:
      ADD_FAILURE() << "jump " << instruction.code;
      return false;
  }
}

struct Decided {
  std::uint32_t action = 0;
  bool by_number_alone = true;  // no argument was looked at: the kernel can remember the answer
};

inline Decided interpret(const std::vector<sock_filter>& program, const seccomp_data& data) {
  Decided decided;
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < program.size(); ++i) {
    const sock_filter& instruction = program[i];
    switch (BPF_CLASS(instruction.code)) {
      case BPF_RET:
        decided.action = instruction.k;
        return decided;
      case BPF_LD:
        if (instruction.k + 4 > sizeof data || instruction.k % 4 != 0)
          ADD_FAILURE() << "load at " << i;
        std::memcpy(&value, reinterpret_cast<const char*>(&data) + instruction.k, sizeof value);
        if (instruction.k > offsetof(seccomp_data, arch)) decided.by_number_alone = false;
        break;
      case BPF_ALU:
        value &= instruction.k;
        break;  // the only one in use
      case BPF_JMP:
        if (BPF_OP(instruction.code) == BPF_JA)
          i += instruction.k;
        else
          i += holds(instruction, value) ? instruction.jt : instruction.jf;
        break;
      default:
        ADD_FAILURE() << "instruction " << instruction.code << " at " << i;
        return decided;
    }
  }
  ADD_FAILURE() << "ran off the end";
  return decided;
}

constexpr std::uint32_t refused_with(std::uint32_t error) {
  return SECCOMP_RET_ERRNO | error;
}

}  // namespace assay::sandbox::warden
