// System calls the engine needs, each tried in a way that leaves no trace.
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <linux/landlock.h>
#include <linux/openat2.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <csignal>

#include "app/cli/doctor.h"
#include "app/cli/doctor_host.h"
#include "os/file.h"
#include "os/process.h"

namespace assay::cli::checkup {
namespace {

int error_of(long result) {
  return result < 0 ? errno : 0;
}

// A call that must fail, but not for want of the feature.
int expect_error(long result, int wanted) {
  return result < 0 && errno == wanted ? 0 : (result < 0 ? errno : EIO);
}

int try_clone3() {
  int pidfd = -1;
  clone_args args{};
  args.flags = CLONE_PIDFD;
  args.pidfd = reinterpret_cast<std::uint64_t>(&pidfd);
  args.exit_signal = SIGCHLD;
  const long pid = ::syscall(SYS_clone3, &args, sizeof args);
  if (pid == 0) ::_exit(0);
  if (pid < 0) return errno;
  os::Process(static_cast<pid_t>(pid), os::OwnedFd(pidfd)).wait();
  return 0;
}

// Refused with EBADF by a kernel that knows the flag, with EINVAL by one that does not: nothing is
// ever cloned.
int try_clone_into_cgroup() {
  clone_args args{};
  args.flags = CLONE_INTO_CGROUP;
  args.cgroup = INT_MAX;
  args.exit_signal = SIGCHLD;
  return expect_error(::syscall(SYS_clone3, &args, sizeof args), EBADF);
}

int try_pidfd() {
  const os::OwnedFd self(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0)));
  if (!self.is_open()) return errno;
  return error_of(::syscall(SYS_pidfd_send_signal, self.get(), 0, nullptr, 0));
}

int try_openat2() {
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  const os::OwnedFd here(static_cast<int>(::syscall(SYS_openat2, AT_FDCWD, ".", &how, sizeof how)));
  return here.is_open() ? 0 : errno;
}

int try_close_range() {
  return error_of(::syscall(SYS_close_range, INT_MAX - 1, INT_MAX, CLOSE_RANGE_CLOEXEC));
}

int try_mount_setattr() {
  return expect_error(::syscall(SYS_mount_setattr, -1, "", 0, nullptr, 0), EINVAL);
}

// As the launcher is started: a sealed file in memory becomes a program, here one that hands on to
// /bin/true.
int try_memory_program() {
  const auto file = os::sealed_memory("assay-doctor", "#!/bin/true\n", true);
  if (!file) return file.error().code;
  const std::array fds{0, 1, 2, file->get()};
  auto process = os::spawn("/proc/self/fd/3", {}, fds);
  if (!process) return process.error().code;
  return process->wait() == 0 ? 0 : EIO;
}

int try_seccomp_action(unsigned action) {
  return error_of(::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action));
}

int try_seccomp_filter() {
  if (const int error = try_seccomp_action(SECCOMP_RET_KILL_PROCESS); error != 0) return error;
  return expect_error(::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, nullptr), EFAULT);
}

int try_seccomp_notification() {
  seccomp_notif_sizes sizes{};
  if (::syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) < 0) return errno;
  return try_seccomp_action(SECCOMP_RET_USER_NOTIF);
}

struct Feature {
  const char* name = nullptr;
  KernelVersion since{};
  int (*attempt)() = nullptr;  // 0, or the errno
  const char* use = nullptr;
};

constexpr std::array kFeatures{
    Feature{"clone3", {5, 3}, try_clone3, "starts boxes"},
    Feature{"pidfd", {5, 3}, try_pidfd, "holds processes without races"},
    Feature{"openat2", {5, 6}, try_openat2, "takes files out of boxes safely"},
    Feature{"close_range", {5, 11}, try_close_range, "keeps our descriptors out of boxes"},
    Feature{"mount_setattr", {5, 12}, try_mount_setattr, "makes whole trees read-only"},
    Feature{"program in memory", {3, 17}, try_memory_program, "the launcher needs no file"},
    Feature{"CLONE_INTO_CGROUP", {5, 7}, try_clone_into_cgroup, "used with cgroup v2"},
    Feature{"seccomp filter", {4, 14}, try_seccomp_filter, "forbids system calls"},
    Feature{"seccomp notification", {5, 0}, try_seccomp_notification, "names forbidden calls"},
};

std::string feature_fix(const Host& host, const Feature& feature, int error) {
  if (host.kernel < feature.since)
    return fmt::format("Linux {}.{} or newer: apt install linux-image-amd64 && reboot",
                       feature.since.major, feature.since.minor);
  if (feature.attempt == try_memory_program) return set_sysctl("vm.memfd_noexec=0");
  if (error == EPERM || error == ENOSYS)
    return "a filter above us forbids it; in a container: docker run --security-opt "
           "seccomp=unconfined …";
  return "a kernel with CONFIG_SECCOMP_FILTER and CONFIG_CGROUPS: apt install linux-image-amd64 "
         "&& reboot";
}

Finding look_at_landlock() {
  const long version =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 0) return {State::Optional, "not offered by this kernel; no box needs it"};
  return {State::Ok, fmt::format("ABI {}; no box needs it", version)};
}

}  // namespace

std::vector<Line> feature_lines(const Host& host) {
  std::vector<Line> lines;
  for (const Feature& feature : kFeatures) {
    const int error = feature.attempt();
    Finding finding{State::Ok, fmt::format("works ({})", feature.use)};
    if (error != 0)
      finding = {State::Missing, fmt::format("{} ({})", words_of(error), feature.use),
                 feature_fix(host, feature, error)};
    lines.push_back({"kernel", feature.name, std::move(finding)});
  }
  lines.push_back({"kernel", "landlock", look_at_landlock()});
  return lines;
}

}  // namespace assay::cli::checkup
