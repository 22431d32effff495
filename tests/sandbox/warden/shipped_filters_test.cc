// The filters in profiles/seccomp/, as they are.
#include <fcntl.h>
#include <sched.h>
#include <sys/syscall.h>

#include <set>

#include "os/file.h"
#include "sandbox/warden/filter.h"
#include "sandbox/warden/rules.h"
#include "sandbox/warden/syscalls.h"
#include "tests/sandbox/warden/bpf.h"
#include "tests/sandbox/warden/reference.h"

namespace assay::sandbox::warden {
namespace {

const std::string kProfiles = ASSAY_SOURCE_DIR "/profiles";
constexpr std::uint64_t kKey = 0x0123456789abcdef;
constexpr std::uint64_t kHigh = std::uint64_t{1} << 32;
constexpr int kMostNumber = 600;
constexpr std::array<const char*, 4> kFilters{"default", "native", "network", "python"};

Rules rules_of(const std::string& name) {
  const auto text = os::read_whole(kProfiles + "/seccomp/" + name + ".json");
  const auto rules = text ? parse_rules(*text) : Result<Rules>(std::unexpected(text.error()));
  EXPECT_TRUE(rules) << describe(rules.error());
  return rules.value_or(Rules{});
}

std::vector<sock_filter> program_of(const std::string& name) {
  const auto filter = load_filter(kProfiles, name);
  EXPECT_TRUE(filter) << describe(filter.error());
  return with_key(filter.value_or(Filter{}), kKey);
}

std::uint32_t decide(const std::vector<sock_filter>& program, int number,
                     const Arguments& arguments = {}) {
  return interpret(program, call_data(number, arguments)).action;
}

// Values at which some rule might change its mind, alone and with bits that the kernel ignores in
// an int.
std::set<std::uint64_t> telling_values(const Rules& rules) {
  std::set<std::uint64_t> values{0, 1, 2, 16, UINT32_MAX, UINT64_MAX};
  for (const std::uint64_t value :  // the guard's
       {4UL,      12UL,         22UL,         25UL,         26UL,    50UL,     62UL,     67UL,
        1036UL,   1038UL,       0x4000UL,     0x40000UL,    04000UL, 0x660bUL, 0x5879UL, 0x9409UL,
        0xf501UL, 0xfffffff0UL, 0xfffffff2UL, 0xfffffff4UL, 5UL,     6UL,      7UL,      8UL,
        36UL,     37UL,         38UL,         39UL,         0x80UL,  0x8940UL, 0x8941UL, 0x8942UL,
        0x8982UL, 0x8984UL,     0x89a0UL,     0x89a3UL,     0x89a4UL})
    values.insert({value, value | kHigh});
  for (const Rule& rule : rules.rules)
    for (const Condition& condition : rule.conditions)
      for (const std::uint64_t value : {condition.value, condition.value_two})
        values.insert({value, value - 1, value + 1, value | kHigh, value | 0x11, ~value});
  return values;
}

bool makes_ipc(int number) {
  return number == SYS_shmget || number == SYS_semget || number == SYS_msgget ||
         number == SYS_mq_open;
}

class ShippedFilter : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Every, ShippedFilter, testing::ValuesIn(kFilters));

TEST_P(ShippedFilter, DecidesEveryNumberAsItsRulesSay) {
  const Rules rules = rules_of(GetParam());
  RulesByNumber about = by_number(rules);
  const auto program = program_of(GetParam());
  const auto values = telling_values(rules);
  for (int number = 0; number <= kMostNumber; ++number)
    for (const std::uint64_t value : values)
      for (const std::size_t index : {0U, 1U, 2U, 3U, 5U}) {
        Arguments arguments{};
        if (number == SYS_setsockopt) arguments[1] = SOL_SOCKET;
        if (number == SYS_fcntl) arguments[1] = F_SETFL;
        if (number == SYS_prlimit64) arguments[1] = RLIMIT_CORE, arguments[2] = 0x1'0000'0000;
        arguments[index] = value;
        const bool known = is_vetted(number) || about.contains(number);
        std::uint32_t expected =
            known ? meant(rules, about[number], arguments) : refused_with(ENOSYS);
        if (expected == SECCOMP_RET_ALLOW && makes_ipc(number)) expected = SECCOMP_RET_USER_NOTIF;
        if (const auto error = refused_by_guard(number, arguments))
          expected = refused_with(static_cast<std::uint32_t>(*error));
        ASSERT_EQ(decide(program, number, arguments), expected)
            << number << " with " << value << " as argument " << index;
      }
}

TEST_P(ShippedFilter, LetsTheLauncherMakeEveryVettedCall) {
  const auto program = program_of(GetParam());
  for (int number = 0; number <= kMostNumber; ++number) {
    const Arguments arguments{0, 0, 0, 0, 0, kKey};
    if (!is_vetted(number) || refused_by_guard(number, arguments))
      continue;  // it makes none of those
    ASSERT_EQ(decide(program, number, arguments), SECCOMP_RET_ALLOW) << number;
  }
}

TEST_P(ShippedFilter, KeepsTheOtherAbisOfTheMachineShut) {
  constexpr int kX32 = 0x40000000;
  const auto program = program_of(GetParam());
  for (int number = 0; number <= kMostNumber; ++number) {
    ASSERT_EQ(decide(program, kX32 | number), refused_with(ENOSYS)) << number;
    const auto action = interpret(program, call_data(number, {}, AUDIT_ARCH_I386)).action;
    ASSERT_TRUE(action == SECCOMP_RET_KILL_PROCESS || action == refused_with(ENOSYS)) << number;
  }
}

TEST_P(ShippedFilter, NamesOnlyCallsThatExist) {
  const Rules rules = rules_of(GetParam());
  for (const Rule& rule : rules.rules)
    for (const std::string& name : rule.names)
      EXPECT_TRUE(syscall_number(name)) << name;
}

TEST_P(ShippedFilter, NamesNoCallTwiceWithoutConditions) {
  const Rules rules = rules_of(GetParam());
  std::set<std::string> names;
  for (const Rule& rule : rules.rules) {
    if (!rule.conditions.empty()) continue;
    for (const std::string& name : rule.names)
      EXPECT_TRUE(names.insert(name).second) << name;
  }
}

// Not mmap: whether it asks for huge pages, which no cgroup of ours counts, is in its flags.
TEST_P(ShippedFilter, LeavesTheCommonCallsToTheKernelsCache) {
  const auto program = program_of(GetParam());
  for (const int number :
       {SYS_read, SYS_write, SYS_munmap, SYS_brk, SYS_futex, SYS_fstat, SYS_close, SYS_lseek}) {
    const Decided decided = interpret(program, call_data(number));
    EXPECT_EQ(decided.action, SECCOMP_RET_ALLOW) << number;
    EXPECT_TRUE(decided.by_number_alone) << number;
  }
}

TEST_P(ShippedFilter, RefusesWhatLibcTriesWithoutEndingTheProgram) {
  const auto program = program_of(GetParam());
  EXPECT_EQ(decide(program, SYS_clone3), refused_with(ENOSYS));
  EXPECT_EQ(decide(program, SYS_socket, {16}), refused_with(EAFNOSUPPORT));  // netlink
  for (const int number :
       {SYS_rseq, SYS_set_robust_list, SYS_sched_getaffinity, SYS_sysinfo, SYS_madvise, SYS_mremap,
        SYS_statx, SYS_faccessat2, SYS_restart_syscall, SYS_prlimit64})
    EXPECT_EQ(decide(program, number), SECCOMP_RET_ALLOW) << number;
  EXPECT_EQ(decide(program, SYS_ioctl, {0, 0x5401}), SECCOMP_RET_ALLOW);
}

TEST(DefaultFilter, AllowsOnlyUnixSocketsWhateverTheUpperBitsSay) {
  const auto program = program_of("default");
  for (const int number : {SYS_socket, SYS_socketpair}) {
    EXPECT_EQ(decide(program, number, {1}), SECCOMP_RET_ALLOW);
    for (const std::uint64_t family : {0U, 2U, 10U, 16U, 17U, 38U, 40U})
      for (const std::uint64_t high : {std::uint64_t{0}, kHigh, ~std::uint64_t{UINT32_MAX}})
        EXPECT_EQ(decide(program, number, {family | high}), refused_with(EAFNOSUPPORT)) << family;
  }
}

TEST(DefaultFilter, RefusesEachNewNamespaceOfClone) {
  const auto program = program_of("default");
  constexpr std::uint64_t kThread = 0x3d0f00;
  constexpr std::uint64_t kFork = 0x01200011;
  EXPECT_EQ(decide(program, SYS_clone, {kThread}), SECCOMP_RET_ALLOW);
  EXPECT_EQ(decide(program, SYS_clone, {kFork}), SECCOMP_RET_ALLOW);
  for (const std::uint64_t flag :
       {0x00020000U, 0x02000000U, 0x04000000U, 0x08000000U, 0x10000000U, 0x20000000U, 0x40000000U})
    for (const std::uint64_t more :
         {std::uint64_t{0}, kThread, kFork, kHigh, std::uint64_t{0x7e020000}})
      EXPECT_EQ(decide(program, SYS_clone, {flag | more}), refused_with(EPERM))
          << flag << " " << more;
}

TEST(DefaultFilter, RefusesToTypeIntoATerminalWhateverTheUpperBitsSay) {
  const auto program = program_of("default");
  for (const std::uint64_t request : {0x5412U, 0x541cU, 0x5423U})
    for (const std::uint64_t high : {std::uint64_t{0}, kHigh, ~std::uint64_t{UINT32_MAX}})
      EXPECT_EQ(decide(program, SYS_ioctl, {0, request | high}), refused_with(EPERM)) << request;
}

TEST(DefaultFilter, RefusesTheKnownWaysOut) {
  const auto program = program_of("default");
  for (const int number : {SYS_keyctl,
                           SYS_io_uring_setup,
                           SYS_bpf,
                           SYS_userfaultfd,
                           SYS_perf_event_open,
                           SYS_ptrace,
                           SYS_process_vm_writev,
                           SYS_pidfd_getfd,
                           SYS_mount,
                           SYS_fsopen,
                           SYS_move_mount,
                           SYS_open_tree,
                           SYS_mount_setattr,
                           SYS_unshare,
                           SYS_setns,
                           SYS_clone3,
                           SYS_open_by_handle_at,
                           SYS_init_module,
                           SYS_kexec_load,
                           SYS_mq_open,
                           SYS_sched_setaffinity,
                           SYS_fanotify_init,
                           SYS_seccomp,
                           SYS_modify_ldt,
                           SYS_clock_settime,
                           SYS_chroot,
                           SYS_syslog,
                           457,
                           458,
                           467})
    EXPECT_NE(decide(program, number), SECCOMP_RET_ALLOW) << number;
}

TEST(DefaultFilter, LetsAThreadAskForTheOrdinaryPolicyAndForNoOther) {
  for (const char* name : {"default", "network"}) {
    const auto program = program_of(name);
    EXPECT_EQ(decide(program, SYS_sched_setscheduler, {0, SCHED_OTHER}), SECCOMP_RET_ALLOW);
    for (const std::uint64_t policy : {1ULL, 2ULL, 3ULL, 5ULL, 6ULL, 0x40000000ULL, 1ULL << 32U})
      EXPECT_EQ(decide(program, SYS_sched_setscheduler, {0, policy}), refused_with(EPERM))
          << name << " " << policy;
  }
}

TEST(Filters, RefuseFilesWithoutAName) {
  constexpr std::uint64_t kNameless = O_TMPFILE | O_RDWR;
  for (const char* name : {"default", "network", "native", "python", "noj-native", "noj-python"}) {
    const auto program = program_of(name);
    EXPECT_EQ(decide(program, SYS_open, {0, O_RDONLY}), SECCOMP_RET_ALLOW) << name;
    EXPECT_EQ(decide(program, SYS_openat, {0, 0, O_RDONLY | O_DIRECTORY}), SECCOMP_RET_ALLOW);
    EXPECT_NE(decide(program, SYS_open, {0, kNameless}), SECCOMP_RET_ALLOW) << name;
    EXPECT_NE(decide(program, SYS_openat, {0, 0, kNameless}), SECCOMP_RET_ALLOW) << name;
    EXPECT_NE(decide(program, SYS_openat, {0, 0, kNameless | 1ULL << 40U}), SECCOMP_RET_ALLOW);
    EXPECT_NE(decide(program, SYS_openat2), SECCOMP_RET_ALLOW) << name;
  }
}

TEST(StrictFilters, EndAProgramThatStartsAnother) {
  for (const char* name : {"native", "python"}) {
    const auto program = program_of(name);
    for (const int number : {SYS_execve, SYS_execveat, SYS_fork, SYS_vfork, SYS_kill})
      EXPECT_EQ(decide(program, number), SECCOMP_RET_USER_NOTIF) << name << " " << number;
    EXPECT_EQ(decide(program, SYS_clone, {0x3d0f00}), SECCOMP_RET_ALLOW);
    EXPECT_EQ(decide(program, SYS_clone, {0x01200011}), SECCOMP_RET_USER_NOTIF);
    EXPECT_EQ(decide(program, SYS_clone, {0x3d0f00 | 0x10000000}), SECCOMP_RET_USER_NOTIF);
  }
}

TEST(NetworkFilter, LetsInternetSocketsThroughAndNoOtherFamilyThanDefault) {
  const auto open = program_of("network");
  const auto closed = program_of("default");
  for (std::uint64_t family = 0; family < 64; ++family) {
    const bool internet = family == 2 || family == 10;
    const bool allowed = decide(open, SYS_socket, {family}) == SECCOMP_RET_ALLOW;
    EXPECT_EQ(allowed, internet || family == 1) << family;
    EXPECT_EQ(decide(closed, SYS_socket, {family}) == SECCOMP_RET_ALLOW, family == 1) << family;
    EXPECT_NE(decide(open, SYS_socket, {family | kHigh}), SECCOMP_RET_ALLOW) << family;
  }
}

}  // namespace
}  // namespace assay::sandbox::warden
