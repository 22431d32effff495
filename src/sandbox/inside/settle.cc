// From the host's view into the box: runs once, in the launcher, right after the warden wrote its
// user map.
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <linux/securebits.h>
#include <signal.h>
#include <sys/prctl.h>

#include "sandbox/inside/old_mount.h"
#include "sandbox/inside/state.h"

namespace assay::sandbox::inside {
namespace {

constexpr int kDetach = 2;  // MNT_DETACH

Trouble trouble(Step step, std::uint32_t index, long error) noexcept {
  return {step, index, static_cast<int>(-error)};
}

Step step_of(MakeKind kind) noexcept {
  switch (kind) {
    case MakeKind::Directory:
      return Step::Directory;
    case MakeKind::File:
      return Step::File;
    case MakeKind::Link:
      return Step::Link;
    case MakeKind::Bind:
    case MakeKind::Mask:
      return Step::Bind;
    case MakeKind::Tmpfs:
      return Step::Tmpfs;
    case MakeKind::Proc:
      return Step::Proc;
  }
  return Step::Stage;
}

Trouble build_tree() noexcept {
  const BoxPlan& plan = *state.plan;
  const auto* makes =
      reinterpret_cast<const Make*>(reinterpret_cast<const char*>(&plan) + plan.makes);
  for (std::uint32_t i = 0; i < plan.make_count; ++i) {
    const long made = make_one(makes[i]);
    if (made < 0) return trouble(step_of(makes[i].kind), i, made);
  }
  return {};
}

// Private first: nothing mounted here is ever seen outside, whatever the host's propagation is.
Trouble open_stage() noexcept {
  const char* stage = text_at(state.plan->stage);
  long done = call(__NR_mount, 0, address("/"), 0, kMsRec | kMsPrivate, 0);
  if (done < 0) return trouble(Step::Stage, 0, done);
  done = call(__NR_mount, address("tmpfs"), address(stage), address("tmpfs"),
              kMsNoSuid | kMsNoDev | kMsNoExec | kMsNoAtime,
              address("size=1m,nr_inodes=512,mode=755"));
  if (done < 0) return trouble(Step::Stage, 1, done);
  done = call(__NR_chdir, address(stage));
  return done < 0 ? trouble(Step::Stage, 2, done) : Trouble{};
}

// pivot_root(".", ".") stacks the old root under the new one, so no directory is needed for it.
Trouble change_root() noexcept {
  long done = call(__NR_pivot_root, address("."), address("."));
  if (done < 0) return trouble(Step::Root, 0, done);
  done = call(__NR_umount2, address("."), kDetach);
  if (done < 0) return trouble(Step::Root, 1, done);
  done = call(__NR_chdir, address("/"));
  if (done < 0) return trouble(Step::Root, 2, done);
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_RDONLY;
  done =
      call(__NR_mount_setattr, AT_FDCWD, address("/"), 0, address(&attributes), sizeof attributes);
  return done < 0 ? trouble(Step::Root, 3, done) : Trouble{};
}

Trouble enter_box_cgroups() noexcept {
  const BoxPlan& plan = *state.plan;
  const long received = receive_meters();
  if (received < 0) return trouble(Step::Cgroup, 0, received);
  if (plan.meters != Meters::V1) return {};
  for (std::uint32_t i = 0; i < plan.groups; ++i) {
    const long wrote = call(__NR_write, state.box_tasks[i], address("0"), 1);
    if (wrote < 0) return trouble(Step::Cgroup, i, wrote);
  }
  if (state.sharing_tasks < 0) return {};
  const long wrote = call(__NR_write, state.sharing_tasks, address("0"), 1);
  if (wrote < 0) return trouble(Step::Cgroup, plan.groups, wrote);
  close_fd(state.sharing_tasks);
  return {};
}

alignas(8) char filter_space[sizeof(FilterPlan) + kMaxFilter * sizeof(sock_filter)];

// The one thing that is not in the plan: the warden compiled it while we built the box.
long install_filter() noexcept {
  if (state.plan->filtered == 0) return 0;
  unsigned none = 0;
  int fds[253];
  const long size = receive(state.boot, filter_space, sizeof filter_space, fds, &none, 0);
  const auto& filter = *reinterpret_cast<const FilterPlan*>(filter_space);
  if (size < static_cast<long>(sizeof filter) ||
      static_cast<unsigned long>(size) != sizeof filter + filter.count * sizeof(sock_filter))
    return -EBADMSG;
  sock_fprog program{};
  program.len = static_cast<unsigned short>(filter.count);
  program.filter = reinterpret_cast<sock_filter*>(filter_space + sizeof filter);
  const unsigned flags = filter.listens != 0 ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0;
  const long done = call(__NR_seccomp, SECCOMP_SET_MODE_FILTER, flags, address(&program));
  // Nobody would hear of a forbidden call, and its caller would sleep until its time is over.
  if (done >= 0 && flags != 0 && (state.listener = lift(static_cast<int>(done))) < 0)
    return state.listener;
  if (done >= 0) {
    state.watched = filter.watched;
    state.knows_ipc = filter.knows_ipc != 0;
  }
  return done;
}

}  // namespace

bool mount_place(Place& place, const char* options) noexcept {
  const long mounted = call(__NR_mount, address("tmpfs"), address(place.path), address("tmpfs"),
                            static_cast<long>(place.flags), address(options));
  if (mounted < 0) return false;
  place.resized = false;
  return call(__NR_statfs, address(place.path), address(&place.fresh_space)) >= 0 &&
         call(__NR_newfstatat, AT_FDCWD, address(place.path), address(&place.fresh_root), 0) >= 0;
}

Trouble settle() noexcept {
  call(__NR_prctl, PR_SET_PDEATHSIG, SIGKILL);
  if (state.plan->isolation == Isolation::None) {
    call(__NR_prctl, PR_SET_CHILD_SUBREAPER, 1);
    return {};
  }
  Trouble met = open_stage();
  if (!met.any()) met = build_tree();
  if (!met.any()) met = change_root();
  if (!met.any()) met = enter_box_cgroups();  // before the places, whose memory is the box's
  for (unsigned i = 0; i < state.place_count && !met.any(); ++i)
    if (!mount_place(state.places[i], state.places[i].options)) met = trouble(Step::Tmpfs, i, -EIO);
  if (met.any()) return met;
  const char* hostname = text_at(state.plan->hostname);
  const long named = call(__NR_sethostname, address(hostname), static_cast<long>(length(hostname)));
  if (named < 0) return trouble(Step::Hostname, 0, named);
  const char* domain = text_at(state.plan->domainname);
  if (*domain == '\0') return {};
  const long joined = call(__NR_setdomainname, address(domain), static_cast<long>(length(domain)));
  return joined < 0 ? trouble(Step::Hostname, 1, joined) : Trouble{};
}

// What no program of this box shall ever have is given up here, once. The launcher keeps the
// capabilities it holds in its own user namespace; the empty bounding set and the locked securebits
// keep any exec from gaining one.
Trouble confine() noexcept {
  const BoxPlan& plan = *state.plan;
  call(__NR_prctl, PR_SET_DUMPABLE, 0);
  const long locked = call(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1);
  if (locked < 0) return trouble(Step::Privileges, 0, locked);
  if (plan.isolation == Isolation::None) return {};
  if (plan.setgroups_allowed != 0) {
    const long cleared = call(__NR_setgroups, 0, 0);
    if (cleared < 0) return trouble(Step::Privileges, 1, cleared);
  }
  for (long capability = 0; call(__NR_prctl, PR_CAPBSET_DROP, capability) >= 0; ++capability) {
  }
  const long bits = call(__NR_prctl, PR_SET_SECUREBITS,
                         SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP_LOCKED |
                             SECBIT_KEEP_CAPS_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE |
                             SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED);
  if (bits < 0) return trouble(Step::Privileges, 2, bits);
  const long filtered = install_filter();
  return filtered < 0 ? trouble(Step::Filter, 0, filtered) : Trouble{};
}

}  // namespace assay::sandbox::inside
