#include "sandbox/warden/guard.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

#include <array>
#include <cstdint>

#include "sandbox/warden/syscalls.h"

namespace assay::sandbox::warden {
namespace {

using Program = std::vector<sock_filter>;

constexpr std::uint16_t kLoad = BPF_LD | BPF_W | BPF_ABS;
constexpr std::uint16_t kIfEqual = BPF_JMP | BPF_JEQ | BPF_K;
constexpr std::uint16_t kIfGreater = BPF_JMP | BPF_JGT | BPF_K;
constexpr std::uint16_t kIfGreaterOrEqual = BPF_JMP | BPF_JGE | BPF_K;
constexpr std::uint16_t kAnd = BPF_ALU | BPF_AND | BPF_K;
constexpr std::uint16_t kReturn = BPF_RET | BPF_K;
constexpr std::uint16_t kJump = BPF_JMP | BPF_JA;
constexpr std::uint32_t kArchitectureAt = offsetof(seccomp_data, arch);
constexpr std::uint32_t kNumberAt = offsetof(seccomp_data, nr);
constexpr std::uint32_t kArgumentsAt = offsetof(seccomp_data, args);  // their low halves first

// One comparison of half an argument: the low one, where the kernel looks at no more.
struct Look {
  std::uint8_t argument = 0;
  std::uint32_t mask = 0;
  std::uint32_t value = 0;
  bool differs = false;  // or: is equal
  bool high = false;
};

struct Refusal {
  std::uint32_t number = 0;
  std::uint16_t error = 0;      // 0: it succeeds, and nothing was done
  std::array<Look, 4> looks{};  // all of those that have a mask
};

constexpr std::uint32_t kAll = 0xffffffff;
constexpr std::uint32_t kDirect = 0x4000;  // O_DIRECT
// The kernel's word for the cpu time of pid 1: ~1 << 3, and which of three kinds.
constexpr Look kInitsClock{0, 0xfffffffc, 0xfffffff0};
constexpr Look kNoOld{3, kAll, 0}, kNoOldAbove{3, kAll, 0, false, true};

// Marks on files of the host. They are the same in every box, and who may only read one can still
// leave a mark on it that the next run finds: make huge pages of what is cached of it, say how long
// it is to live (kernels before 6.13 ask for no right), have the file system remember where it
// lies, or read whether somebody did ('f' is ext4's and of all, 'X' XFS's, 0x94 btrfs's and of all,
// 0xf5 f2fs's). Reading only what is cached tells it by the page, without changing it. Memory that
// no cgroup counts: a pool of huge pages; the machine code of filters, of which the whole host has
// so much that one program could keep all others' boxes from being made; queues of notices. Others:
// pages that are alike are shared with other boxes and tell of them by their speed; reading past
// the cache loads the host's disk; the cpu time of init tells how many runs it has carried out;
// which pages are cached (6.5 to 6.12 tell it to those who may only read); modules of bridges and
// VLANs, which the kernel loads for whoever asks a socket about them.
//
// Record locks are memory that no cgroup counts, a million in two seconds, and on a file of the
// host everybody who closes that file walks their list and is charged for it: other boxes, too. A
// tree of processes that share them dies for minutes. They succeed and lock nothing: SQLite and ghc
// go on, and whoever must exclude his own children has flock(). That one is shared likewise by any
// number of descriptions of a file, which a mapping of a page keeps without a descriptor; only an
// exclusive lock is alone on its file, and real. Who is to get a description's signals, and the
// names of mappings, are memory of nobody, too. Cores that go to a helper of the host are kept from
// it by a limit of exactly 1, which a program may lower to 0 (sanitizers do): it succeeds as well.
constexpr std::array kRefusals{
    Refusal{__NR_madvise, EINVAL, {{{2, kAll, 25 /* MADV_COLLAPSE */}}}},
    Refusal{__NR_madvise, EINVAL, {{{2, kAll, 12 /* MADV_MERGEABLE */}}}},
    Refusal{__NR_fcntl, 0, {{{1, kAll, 6 /* F_SETLK */}}}},
    Refusal{__NR_fcntl, 0, {{{1, kAll, 7 /* F_SETLKW */}}}},
    Refusal{__NR_fcntl, 0, {{{1, kAll, 37 /* F_OFD_SETLK */}}}},
    Refusal{__NR_fcntl, 0, {{{1, kAll, 38 /* F_OFD_SETLKW */}}}},
    Refusal{__NR_flock, 0, {{{1, ~4U /* LOCK_NB */, 1 /* LOCK_SH */}}}},
    Refusal{__NR_flock, EINVAL, {{{1, 32 /* LOCK_MAND, real before 5.16, and shared */, 32}}}},
    Refusal{__NR_fcntl, EINVAL, {{{1, kAll, 8 /* F_SETOWN */}}}},
    Refusal{__NR_fcntl, EINVAL, {{{1, kAll, 10 /* F_SETSIG */}}}},
    Refusal{__NR_fcntl, EINVAL, {{{1, kAll, 15 /* F_SETOWN_EX */}}}},
    Refusal{__NR_prctl, EINVAL, {{{0, kAll, 0x53564d41 /* PR_SET_VMA */}}}},
    Refusal{__NR_setrlimit, 0, {{{0, kAll, 4 /* RLIMIT_CORE */}}}},
    // Unless it is also to tell what the limit was, which only the kernel could.
    Refusal{__NR_prlimit64, 0, {{{1, kAll, 4}, {2, kAll, 0, true}, kNoOld, kNoOldAbove}}},
    Refusal{__NR_prlimit64, 0, {{{1, kAll, 4}, {2, kAll, 0, true, true}, kNoOld, kNoOldAbove}}},
    Refusal{__NR_prlimit64, EPERM, {{{1, kAll, 4}, {2, kAll, 0, true}}}},
    Refusal{__NR_prlimit64, EPERM, {{{1, kAll, 4}, {2, kAll, 0, true, true}}}},
    Refusal{__NR_fcntl, EINVAL, {{{1, kAll, 1036 /* F_SET_RW_HINT */}}}},
    Refusal{__NR_fcntl, EINVAL, {{{1, kAll, 1038 /* F_SET_FILE_RW_HINT */}}}},
    Refusal{__NR_fcntl, EINVAL, {{{1, kAll, 4 /* F_SETFL */}, {2, kDirect, kDirect}}}},
    Refusal{__NR_open, EINVAL, {{{1, kDirect, kDirect}}}},
    Refusal{__NR_openat, EINVAL, {{{2, kDirect, kDirect}}}},
    Refusal{__NR_ioctl, ENOTTY, {{{1, 0xff00, 'f' << 8}}}},
    Refusal{__NR_ioctl, ENOTTY, {{{1, 0xff00, 'X' << 8}}}},
    Refusal{__NR_ioctl, ENOTTY, {{{1, 0xff00, 0x94 << 8}}}},
    Refusal{__NR_ioctl, ENOTTY, {{{1, 0xff00, 0xf5 << 8}}}},
    Refusal{__NR_ioctl, ENOTTY, {{{1, 0xfffffffe, 0x8940 /* SIOCGIFBR, SIOCSIFBR */}}}},
    Refusal{__NR_ioctl, ENOTTY, {{{1, 0xfffffffe, 0x8982 /* SIOCGIFVLAN, SIOCSIFVLAN */}}}},
    Refusal{__NR_ioctl, ENOTTY, {{{1, 0xfffffffc, 0x89a0 /* SIOCBRADDBR and its like */}}}},
    Refusal{451 /* cachestat */, ENOSYS, {}},
    Refusal{__NR_pipe2, ENOPKG, {{{1, 0200 /* O_NOTIFICATION_PIPE */, 0200}}}},
    Refusal{__NR_preadv2, EOPNOTSUPP, {{{5, kAll, 0, true}}}},
    Refusal{__NR_pwritev2, EOPNOTSUPP, {{{5, kAll, 0, true}}}},
    Refusal{__NR_mmap, ENOMEM, {{{3, 0x40000 /* MAP_HUGETLB */, 0x40000}}}},
    Refusal{__NR_memfd_create, EINVAL, {{{1, 4 /* MFD_HUGETLB */, 4}}}},
    Refusal{__NR_shmget, ENOMEM, {{{2, 04000 /* SHM_HUGETLB */, 04000}}}},
    Refusal{__NR_setsockopt,
            EPERM,
            {{{1, kAll, 1 /* SOL_SOCKET */}, {2, kAll, 26 /* SO_ATTACH_FILTER */}}}},
    Refusal{__NR_setsockopt, EPERM, {{{1, kAll, 1}, {2, kAll, 50 /* SO_ATTACH_BPF */}}}},
    Refusal{__NR_setsockopt, EPERM, {{{1, kAll, 1}, {2, kAll, 51 /* SO_ATTACH_REUSEPORT_CBPF */}}}},
    Refusal{__NR_setsockopt, EPERM, {{{1, kAll, 1}, {2, kAll, 52 /* SO_ATTACH_REUSEPORT_EBPF */}}}},
    Refusal{__NR_clock_gettime, EINVAL, {{kInitsClock}}},
    Refusal{__NR_clock_getres, EINVAL, {{kInitsClock}}},
    Refusal{__NR_clock_nanosleep, EINVAL, {{kInitsClock}}},
    Refusal{__NR_timer_create, EINVAL, {{kInitsClock}}},
};

void append(Program& program, const Refusal& refusal) {
  Program inner;
  for (const Look& look : refusal.looks) {
    if (look.mask == 0) continue;
    inner.push_back({kLoad, 0, 0, kArgumentsAt + look.argument * 8U + (look.high ? 4U : 0U)});
    if (look.mask != kAll) inner.push_back({kAnd, 0, 0, look.mask});
    inner.push_back({kIfEqual, look.differs, !look.differs, look.value});
  }
  inner.push_back({kReturn, 0, 0, SECCOMP_RET_ERRNO | refusal.error});
  // Whoever is not meant goes on behind it, where the number is loaded again.
  for (std::size_t i = 0; i < inner.size(); ++i) {
    if (inner[i].code != kIfEqual) continue;
    const auto out = static_cast<std::uint8_t>(inner.size() - i - 1);
    (inner[i].jt != 0 ? inner[i].jt : inner[i].jf) = out;
  }
  program.push_back({kIfEqual, 0, static_cast<std::uint8_t>(inner.size() + 1), refusal.number});
  program.insert(program.end(), inner.begin(), inner.end());
  program.push_back({kLoad, 0, 0, kNumberAt});
}

// Only for the ABI whose numbers these are; the rules refuse all others. Ends with the number
// loaded.
Program refusals() {
  Program refused{{kLoad, 0, 0, kNumberAt}};
  for (const Refusal& refusal : kRefusals)
    append(refused, refusal);
  Program program{{kLoad, 0, 0, kArchitectureAt},
                  {kIfEqual, 1, 0, AUDIT_ARCH_X86_64},
                  {kJump, 0, 0, static_cast<std::uint32_t>(refused.size())}};
  program.insert(program.end(), refused.begin(), refused.end());
  program.push_back({kLoad, 0, 0, kNumberAt});
  return program;
}

}  // namespace

// What goes before the rules: a number nobody has vetted returns ENOSYS, as on a kernel without it,
// unless a rule lists it. That covers x32 (its bit makes the number large) and -1. A decision by
// number alone, so allowed calls stay cacheable.
std::vector<sock_filter> guard(std::span<const int> listed) {
  const auto extra = static_cast<std::uint8_t>(listed.size());
  Program program = refusals();
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
