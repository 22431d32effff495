#include "app/daemon/privileges.h"

#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>

#include "base/units.h"

namespace assay::daemon {
namespace {

constexpr unsigned kNobody = 65534;
constexpr std::uint64_t kMostId = 4294967294;
constexpr const char* kOwnUser = "assay";

Result<Identity> parse_numbers(const std::string& user) {
  const std::size_t colon = user.find(':');
  const auto uid = parse_count(user.substr(0, colon), 0, kMostId);
  if (!uid) return invalid("-user: there is no user '" + user + "'");
  if (colon == std::string::npos) {
    const auto id = static_cast<uid_t>(*uid);
    const passwd* found = ::getpwuid(id);  // NOLINT(concurrency-mt-unsafe): single thread
    return Identity{id, found != nullptr ? found->pw_gid : id};
  }
  const auto gid = parse_count(user.substr(colon + 1), 0, kMostId);
  if (!gid) return invalid("-user: '" + user + "' is not uid:gid");
  return Identity{static_cast<uid_t>(*uid), static_cast<gid_t>(*gid)};
}

Status set_capabilities(std::uint32_t wanted) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> sets{};
  sets[0].effective = sets[0].permitted = wanted;
  if (::syscall(SYS_capset, &header, sets.data()) < 0) return system_error("drop capabilities");
  return {};
}

Status change_identity(const Identity& identity) {
  if (::setgroups(0, nullptr) < 0) return system_error("give up groups");
  if (::setresgid(identity.group, identity.group, identity.group) < 0)
    return system_error("change the group");
  if (::setresuid(identity.user, identity.user, identity.user) < 0)
    return system_error("change the user");
  return {};
}

// While capabilities are still there: afterwards no exec can bring one back.
void empty_the_bounding_set() {
  for (unsigned long capability = 0; ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0;
       ++capability) {
  }
  (void)::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
}

Status keep(const Identity& identity, std::uint32_t capabilities) {
  const bool root = ::geteuid() == 0;
  if (root) {
    empty_the_bounding_set();
    if (capabilities != 0 && ::prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) < 0)
      return system_error("keep a capability");
    TRY_STATUS(change_identity(identity));
    TRY_STATUS(set_capabilities(capabilities));
  }
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return system_error("set no_new_privs");
  if (root && identity.user != 0 && ::setuid(0) == 0)
    return invalid("root could be had again after giving it up");
  return {};
}

}  // namespace

Result<Identity> find_identity(const std::string& user) {
  if (::geteuid() != 0) {
    if (!user.empty()) return invalid("-user: only root can become somebody else");
    return Identity{::geteuid(), ::getegid()};
  }
  // NOLINTNEXTLINE(concurrency-mt-unsafe): single thread
  const passwd* found = ::getpwnam(user.empty() ? kOwnUser : user.c_str());
  if (found != nullptr) return Identity{found->pw_uid, found->pw_gid};
  if (user.empty()) return Identity{kNobody, kNobody};
  return parse_numbers(user);
}

Status give_up_root(const Identity& identity) {
  return keep(identity, 0);
}

Status keep_only_reading(const Identity& identity) {
  return keep(identity, 1U << CAP_DAC_READ_SEARCH);
}

Status leash_to(pid_t parent) {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0) return system_error("set the death signal");
  if (::getppid() != parent) return invalid("the parent is gone");
  return {};
}

}  // namespace assay::daemon
