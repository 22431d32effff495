// The kernel's version and whether it lets us make namespaces.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "app/cli/doctor.h"
#include "app/cli/doctor_host.h"
#include "os/file.h"

namespace assay::cli::checkup {
namespace {

constexpr KernelVersion kOldestKernel{5, 12};  // mount_setattr
constexpr std::array kNamespaces{"user", "pid", "mnt", "net", "ipc", "uts", "cgroup"};
constexpr const char* kUnprivileged = "/proc/sys/kernel/unprivileged_userns_clone";
constexpr const char* kAppArmor = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns";

Finding look_at_version(const Host& host) {
  if (host.kernel >= kOldestKernel) return {State::Ok, host.release};
  return {State::Missing, host.release + ", older than 5.12",
          "Linux 5.12 or newer: apt install linux-image-amd64 && reboot"};
}

Finding look_at_namespaces(const Host&) {
  std::vector<std::string> absent;
  for (const char* name : kNamespaces)
    if (!os::exists(fmt::format("/proc/self/ns/{}", name))) absent.emplace_back(name);
  if (absent.empty()) return {State::Ok, fmt::format("{}", fmt::join(kNamespaces, " "))};
  return {State::Missing, fmt::format("no {}", fmt::join(absent, " ")),
          "a kernel with CONFIG_NAMESPACES, CONFIG_USER_NS and CONFIG_CGROUPS: "
          "apt install linux-image-amd64 && reboot"};
}

Finding look_at_namespace_counts(const Host&) {
  for (const char* name : kNamespaces) {
    const auto most = first_line(fmt::format("/proc/sys/user/max_{}_namespaces", name));
    if (most == "0")
      return {State::Missing, fmt::format("user.max_{}_namespaces is 0", name),
              set_sysctl(fmt::format("user.max_{}_namespaces=15000", name))};
  }
  return {State::Ok, "user.max_*_namespaces leave room"};
}

Finding look_at_unprivileged(const Host& host) {
  const auto value = first_line(kUnprivileged);
  if (!value) return {State::Ok, "this kernel has no such switch"};
  if (value != "0") return {State::Ok, *value};
  if (host.root) return {State::Ok, "0; concerns plain users only"};
  return {State::Missing, "0: plain users may make no user namespaces",
          set_sysctl("kernel.unprivileged_userns_clone=1")};
}

Finding look_at_apparmor(const Host& host) {
  const auto value = first_line(kAppArmor);
  if (!value) return {State::Ok, "this kernel has no such switch"};
  if (value == "0") return {State::Ok, *value};
  if (host.root) return {State::Ok, *value + "; concerns plain users only"};
  return {State::Missing, *value + ": user namespaces of plain users come without capabilities",
          set_sysctl("kernel.apparmor_restrict_unprivileged_userns=0")};
}

// In a child, so that we stay where we are. Naming its own new uts namespace shows that
// capabilities came with the user namespace, which AppArmor may have taken.
int try_user_namespace() {
  const pid_t child = ::fork();
  if (child < 0) return errno;
  if (child == 0) {
    if (::unshare(CLONE_NEWUSER | CLONE_NEWUTS) < 0 || ::sethostname("box", 3) < 0) ::_exit(errno);
    ::_exit(0);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : EIO;
}

Finding look_at_user_namespace(const Host& host) {
  const int error = try_user_namespace();
  if (error == 0) return {State::Ok, "can be made"};
  std::string fix;
  for (const auto& look : {look_at_namespace_counts, look_at_unprivileged, look_at_apparmor})
    if (fix.empty()) fix = look(host).fix;
  if (fix.empty())
    fix =
        "in a container: docker run --privileged …; elsewhere: a kernel with CONFIG_USER_NS and "
        "CONFIG_UTS_NS";
  return {State::Missing, "cannot be made: " + words_of(error), std::move(fix)};
}

constexpr std::array kChecks{
    Check{"kernel", "version", look_at_version},
    Check{"kernel", "namespaces", look_at_namespaces},
    Check{"kernel", "namespace counts", look_at_namespace_counts},
    Check{"kernel", "unprivileged_userns_clone", look_at_unprivileged},
    Check{"kernel", "apparmor_restrict_userns", look_at_apparmor},
    Check{"kernel", "user namespace", look_at_user_namespace},
};

}  // namespace

std::span<const Check> kernel_checks() {
  return kChecks;
}

}  // namespace assay::cli::checkup
