// Rows 19 to 21: the filter, for every number in every ABI.
#include "sandbox/warden/syscalls.h"

#include <signal.h>
#include <sys/syscall.h>

#include <map>
#include <set>

#include "tests/attacks/attack.h"

namespace assay::test {
namespace {

using sandbox::Forbidden;
using sandbox::Signaled;
using Attack19IoUring = Attack;
using Attack20Namespaces = Attack;
class Attack21Filter : public Attack {
 protected:
  std::map<int, std::string> try_all(const std::string& abi, int last);  // number: what it gave
};

TEST_F(Attack19IoUring, IsNotThere) {
  const Outcome outcome = attack({.guest = "use_forbidden_calls"});
  EXPECT_EQ(result_of(outcome, "io_uring_setup"), "ENOSYS") << outcome;
  EXPECT_EQ(result_of(outcome, "io_setup"), "ENOSYS");
}

TEST_F(Attack20Namespaces, NoneCanBeMadeOrEntered) {
  const Outcome outcome = attack({.guest = "enter_namespaces"});
  expect_refused(outcome);
  EXPECT_EQ(result_of(outcome, "clone3"), "ENOSYS") << outcome;
  EXPECT_EQ(result_of(outcome, "unshare"), "EPERM") << outcome;
}

TEST_F(Attack21Filter, CallsThatAttackTheKernelAreRefused) {
  expect_refused(attack({.guest = "use_forbidden_calls"}));
}

const std::vector<int> kDangerous = {SYS_ptrace,
                                     SYS_mount,
                                     SYS_umount2,
                                     SYS_pivot_root,
                                     SYS_chroot,
                                     SYS_unshare,
                                     SYS_setns,
                                     SYS_bpf,
                                     SYS_perf_event_open,
                                     SYS_userfaultfd,
                                     SYS_add_key,
                                     SYS_keyctl,
                                     SYS_request_key,
                                     SYS_init_module,
                                     SYS_finit_module,
                                     SYS_delete_module,
                                     SYS_kexec_load,
                                     SYS_reboot,
                                     SYS_swapon,
                                     SYS_open_by_handle_at,
                                     SYS_process_vm_readv,
                                     SYS_process_vm_writev,
                                     SYS_seccomp,
                                     SYS_personality,
                                     SYS_quotactl,
                                     SYS_acct,
                                     SYS_iopl,
                                     SYS_ioperm,
                                     SYS_syslog,
                                     SYS_settimeofday,
                                     SYS_sethostname,
                                     SYS_fanotify_init,
                                     SYS_kcmp,
                                     SYS_io_setup,
                                     SYS_clone3,
                                     425,
                                     426,
                                     427,
                                     428,
                                     429,
                                     430,
                                     431,
                                     432,
                                     433,
                                     438,
                                     442,
                                     443,
                                     447};

constexpr int kMostTried = 600;  // far beyond the newest kernel's last

std::map<int, std::string> Attack21Filter::try_all(const std::string& abi, int last) {
  const Outcome outcome = attack({.guest = "try_every_syscall",
                                  .arguments = {abi, "0", std::to_string(last)},
                                  .limits = {.cpu_time = scaled(20s), .wall_time = scaled(60s)}});
  std::map<int, std::string> results;
  for (const std::string& line : lines_of(outcome.output))
    results[std::stoi(line)] = line.substr(line.find(' ') + 1);
  EXPECT_EQ(results.size(), static_cast<std::size_t>(last) + 1) << outcome;
  return results;
}

TEST_F(Attack21Filter, NoDangerousCallDoesAnything) {
  auto results = try_all("x64", kMostTried);
  for (const int number : kDangerous)
    EXPECT_TRUE(results[number] == "EPERM" || results[number] == "ENOSYS")
        << number << " " << results[number];
  EXPECT_EQ(results[SYS_getppid], "ok");
  expect_unharmed();
}

// As on a kernel that does not have it, so that a libc falls back to what it knows. One young call
// is in the default profile's list of those refused, beside its older kin.
TEST_F(Attack21Filter, ANumberThatNobodyVettedIsNotThere) {
  constexpr int kOpenTreeAttr = 467;
  for (const auto& [number, result] : try_all("x64", kMostTried)) {
    const bool of_the_kernel =
        number == 335 || number == 336;  // uprobes: passed by every filter since 6.14
    const bool is_known = sandbox::warden::is_vetted(number) || of_the_kernel;
    if (is_known) continue;
    EXPECT_EQ(result, number == kOpenTreeAttr ? "EPERM" : "ENOSYS") << number;
  }
}

TEST_F(Attack21Filter, NoNumberOfX32Exists) {
  for (const auto& [number, result] : try_all("x32", kMostTried))
    EXPECT_EQ(result, "ENOSYS") << number;
}

TEST_F(Attack21Filter, NoNumberOfI386Exists) {
  for (const auto& [number, result] : try_all("i386", 470))
    EXPECT_TRUE(result == "signal " + std::to_string(SIGSYS) || result == "ENOSYS" ||
                result == "signal " + std::to_string(SIGSEGV))
        << number << " " << result;
}

const Names kUnknown = {"-1",         "0xffffffff", "0x80000000", "463",
                        "0x40000027", "100000",     "0x7fffffff", "0xbfffffff"};

TEST_F(Attack21Filter, NegativeHugeAndUnknownNumbersAreNotThere) {
  for (const std::string profile : {"default", "native"})
    for (const std::string& number : kUnknown) {
      const Outcome outcome =
          attack({.guest = "make_syscall", .arguments = {number}, .profile = profile});
      EXPECT_EQ(outcome.output, "before\nafter: ENOSYS\n") << profile << number << outcome;
    }
}

// Kernels drop the upper half of a number, or know no such call: it is never one of another kind.
TEST_F(Attack21Filter, TheUpperHalfOfANumberHidesNothing) {
  for (const int number : {SYS_ptrace, SYS_mount, SYS_unshare, SYS_keyctl}) {
    const std::string hidden = std::to_string((1LL << 32) + number);
    const Outcome outcome = attack({.guest = "make_syscall", .arguments = {hidden}});
    const std::string result = result_of(outcome, "after");
    EXPECT_TRUE(result == "EPERM" || result == "ENOSYS") << number << outcome;
  }
}

// The kernel drops the upper half of an int, a filter compares all 64 bits. Each gets the filter's
// own word, which is not what the kernel would say.
TEST_F(Attack21Filter, UpperHalvesOfArgumentsHideNothing) {
  const Outcome outcome = attack({.guest = "pass_high_bits"});
  const std::set<std::string> harmless = {"dumpable", "filter"};  // to itself, and only less
  const std::map<std::string, std::string> words = {
      {"tmpfile", "EOPNOTSUPP"}, {"tmpfile at", "EOPNOTSUPP"}, {"socket", "EAFNOSUPPORT"}};
  std::map<std::string, int> refused;
  for (const std::string& line : lines_of(outcome.output)) {
    const std::string name = line.substr(0, line.find(':'));
    if (harmless.contains(name)) continue;
    const auto word = words.find(name);
    EXPECT_EQ(line, name + ": " + (word == words.end() ? "EPERM" : word->second));
    ++refused[name];
  }
  EXPECT_EQ(refused.size(), 10U) << outcome;
  EXPECT_EQ(refused["clone"], 3 * 7) << outcome;
}

TEST_F(Attack21Filter, UpperHalvesOfArgumentsHideNothingFromTheStrictProfile) {
  const std::map<std::string, int> forbidden = {{"clone", SYS_clone},
                                                {"lease", SYS_fcntl},
                                                {"notify", SYS_fcntl},
                                                {"prlimit of init", SYS_prlimit64},
                                                {"personality", SYS_personality},
                                                {"type", SYS_ioctl},
                                                {"dumpable", SYS_prctl},
                                                {"filter", SYS_prctl}};
  for (const auto& [name, number] : forbidden) {
    const Outcome outcome =
        attack({.guest = "pass_high_bits", .arguments = {name}, .profile = "native"});
    EXPECT_TRUE(ended_as(outcome, Forbidden{number})) << name << outcome;
    EXPECT_EQ(outcome.output, "before\n") << name;
  }
}

TEST_F(Attack21Filter, TheStrictProfileNamesTheCallThatEndedTheRun) {
  for (const int number : {SYS_ptrace, SYS_fork, SYS_vfork, SYS_execve, SYS_kill, SYS_mount,
                           SYS_chown, SYS_mknod, SYS_keyctl, SYS_bpf, SYS_unshare}) {
    const Outcome outcome = attack(
        {.guest = "make_syscall", .arguments = {std::to_string(number)}, .profile = "native"});
    EXPECT_TRUE(ended_as(outcome, Forbidden{number})) << outcome;
    EXPECT_EQ(outcome.output, "before\n");
    EXPECT_EQ(outcome.letters, "RE");
  }
  EXPECT_EQ(run({.guest = "echo_input", .input = "next", .profile = "native"}).output, "next");
}

TEST_F(Attack21Filter, TheStrictProfileEndsAThreadedProgramAsAWhole) {
  for (const std::string guest : {"fork_bomb", "child_eats_memory", "daemonize_grandchild"}) {
    const Outcome outcome =
        attack({.guest = guest, .arguments = {"1000", "mark"}, .profile = "native"});
    EXPECT_TRUE(std::holds_alternative<Forbidden>(outcome.facts.end)) << guest << outcome;
  }
}

TEST_F(Attack21Filter, TheStrictProfileKnowsNoOtherAbi) {
  const Outcome i386 =
      attack({.guest = "make_syscall", .arguments = {"20", "i386"}, .profile = "native"});
  EXPECT_TRUE(ended_as(i386, Signaled{SIGSYS, false})) << i386;
  EXPECT_EQ(i386.letters, "RE");
}

}  // namespace
}  // namespace assay::test
