#include "sandbox/warden/syscalls.h"

#include <seccomp.h>

#include <algorithm>
#include <array>

#include "base/units.h"

namespace assay::sandbox::warden {
namespace {

constexpr int kMostNumber = 0xffff;  // far below the x32 bit

struct Newer {
  std::string_view name;
  int number;
};
// Unknown to libseccomp 2.5; can go when 2.6 is the oldest we build with.
constexpr std::array kNewer{
    Newer{"cachestat", 451},         Newer{"fchmodat2", 452},
    Newer{"map_shadow_stack", 453},  Newer{"futex_wake", 454},
    Newer{"futex_wait", 455},        Newer{"futex_requeue", 456},
    Newer{"statmount", 457},         Newer{"listmount", 458},
    Newer{"lsm_get_self_attr", 459}, Newer{"lsm_set_self_attr", 460},
    Newer{"lsm_list_modules", 461},  Newer{"mseal", 462},
    Newer{"setxattrat", 463},        Newer{"getxattrat", 464},
    Newer{"listxattrat", 465},       Newer{"removexattrat", 466},
    Newer{"open_tree_attr", 467},    Newer{"file_getattr", 468},
    Newer{"file_setattr", 469},
};

}  // namespace

std::optional<int> syscall_number(const std::string& name) {
  if (name.starts_with('#')) {
    const auto number = parse_count(std::string_view(name).substr(1), 0, kMostNumber);
    return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
  }
  const auto* newer = std::ranges::find(kNewer, name, &Newer::name);
  if (newer != kNewer.end()) return newer->number;
  // Negative also for the calls of other machines only, such as "socketcall".
  const int number = seccomp_syscall_resolve_name_arch(SCMP_ARCH_X86_64, name.c_str());
  return number >= 0 ? std::optional(number) : std::nullopt;
}

}  // namespace assay::sandbox::warden
