#include "sandbox/warden/box.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>

#include "os/file.h"
#include "sandbox/inside/plan.h"
#include "sandbox/warden/identity.h"
#include "sandbox/warden/plan.h"
#include "sandbox/warden/spawn.h"
#include "sandbox/warden/steps.h"

namespace assay::sandbox::warden {
namespace {

constexpr int kPatienceMs =
    20'000;  // a box is made in about a millisecond; an emulated, loaded machine may need seconds

// Both halves non-zero: a program cannot pass the filter with an unset register or with a 32-bit
// value.
std::uint64_t random_key() {
  std::uint64_t key = 0;
  do {
    if (::getrandom(&key, sizeof key, 0) != sizeof key) continue;
  } while ((key >> 32) == 0 || (key & 0xffff'ffff) == 0);
  return key;
}

// Sealed in size: a launcher that went bad must not be able to pull the page from under the daemon.
Result<os::OwnedFd> make_slate() {
  os::OwnedFd fd(::memfd_create("assay-slate", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd.is_open() || ::ftruncate(fd.get(), 4096) < 0 ||
      ::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0)
    return system_error("make the slate of a box");
  return fd;
}

PlanInputs plan_inputs(const Workshop& workshop, const BoxRequest& request) {
  const bool isolated = request.profile.isolation == Isolation::Full;
  const bool single = isolated && workshop.identities == Identities::Single;
  return {.profile = request.profile,
          .filtered = isolated && request.filter,
          .mounts = request.mounts,
          .stage = isolated ? workshop.instance.stage() : request.profile.work_dir,
          .key = random_key(),
          .meters = isolated ? workshop.meters.kind() : inside::Meters::None,
          .groups = isolated ? workshop.meters.groups() : 0,
          .leaves = request.leaves,
          .memory_group = workshop.meters.memory_group(),
          .single_id = single,
          .setgroups_allowed = workshop.identities != Identities::Single};
}

Result<inside::ControlReply> await_answer(int boot) {
  pollfd waiting{boot, POLLIN, 0};
  if (::poll(&waiting, 1, kPatienceMs) <= 0)
    return system_error(ETIMEDOUT, "hear from the launcher of a new box");
  inside::ControlReply reply{};
  const os::Received received = TRY(os::receive_packet(boot, os::room_of(reply)));
  if (received.size != sizeof reply)
    return system_error(EPIPE, "hear from the launcher of a new box");
  return reply;
}

Status send_meters(const Box& box) {
  if (!box.isolated) return {};
  std::vector<int> fds;
  for (const os::OwnedFd& fd : box.meters.for_launcher)
    fds.push_back(fd.get());
  return os::send_packet(box.boot.get(), os::bytes_of(inside::kMetersFollow), fds);
}

Status send_filter(const Box& box, const BoxRequest& request, std::uint64_t key) {
  if (!box.isolated || !request.filter) return {};
  const Filter* filter = TRY(request.filter());
  return os::send_packet(box.boot.get(), lay_out_filter(*filter, key));
}

Status let_go(const Workshop& workshop, const BoxRequest& request, const Box& box) {
  if (request.profile.isolation == Isolation::Full)
    TRY_STATUS(write_id_maps(workshop, request.profile, box.launcher.pid(),
                             ids_of(workshop, request.number)));
  return os::write_all(box.go.get(), "1");
}

Status prepare_bare_work_directory(const Workshop& workshop, Box& box, Profile& profile) {
  box.work_directory = workshop.instance.work_directory(box.number);
  TRY_STATUS(os::make_directory(box.work_directory, 0700));
  if (::geteuid() == 0 && ::chown(box.work_directory.c_str(), kNobody, kNobody) < 0)
    return system_error("give '" + box.work_directory + "' to the program");
  profile.work_dir = box.work_directory;
  return {};
}

}  // namespace

void Box::forget_handle() {
  control.reset();
  run.reset();
  slate.reset();
  for (auto& leaf : meters.leaf_files)
    leaf.clear();
  meters.for_launcher.clear();
}

// A launcher shares our memory until it has executed its image, and then closes its end of `go`.
// Before the next is cloned it must have done so, or be dead. Until then it runs our code only and
// looks at no path of the host: nobody can make this wait long.
void Box::kill() {
  if (killed || !launcher.is_running()) return;
  killed = true;
  launcher.send_signal(SIGKILL);  // pid 1 of the box: the kernel ends everything in it
  meters.thaw();
  meters.remove_empty();  // while the launcher ends
  pollfd executed{go.get(), 0, 0};
  while (go.is_open() && ::poll(&executed, 1, -1) < 0 && errno == EINTR) {
  }
}

bool Box::has_ended(int patience_ms) const {
  pollfd ended{launcher.pidfd(), POLLIN, 0};
  return !launcher.is_running() || ::poll(&ended, 1, patience_ms) == 1;
}

Box::~Box() {
  kill();
  if (launcher.is_running()) launcher.wait();
  std::error_code ignored;
  if (!work_directory.empty()) std::filesystem::remove_all(work_directory, ignored);
}

namespace {

// A network namespace takes the kernel longer to make than all the others together: the child does
// that while we go on.
constexpr unsigned long long kAtOnce = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS;
constexpr unsigned long long kLater = CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWNET;

Result<StartedLauncher> clone_with(LauncherStart start) {
  os::PacketPair boot = TRY(os::make_packet_pair());
  os::Pipe go = TRY(os::make_pipe());
  start.boot = boot.theirs.get();
  start.go = go.read_end.get();
  return StartedLauncher{TRY(clone_launcher(start)), std::move(boot.ours), std::move(go.write_end)};
}

Result<StartedLauncher> start_for(const Workshop& workshop, const BoxRequest& request,
                                  const Box& box) {
  const bool isolated = request.profile.isolation == Isolation::Full;
  const bool networked = request.profile.network == Network::Host;
  if (workshop.spare != nullptr && workshop.spare->process.is_running()) {
    StartedLauncher spare = std::move(*workshop.spare);
    if (isolated && !networked && request.core < 0) return spare;
  }  // one that does not fit ends here: it shares our memory, and no program was ever in it
  return clone_with({.image = workshop.launcher_image,
                     .cgroup = box.meters.start_in.get(),
                     .namespaces = isolated ? kAtOnce : 0,
                     .later = !isolated   ? 0
                              : networked ? kLater & ~std::uint64_t{CLONE_NEWNET}
                                          : kLater,
                     .core = request.core});
}

// Clones the launcher and lets it go as far as it can without its plan.
Status start_launcher(const Workshop& workshop, const BoxRequest& request, Box& box) {
  StartedLauncher started = TRY(start_for(workshop, request, box));
  box.launcher = std::move(started.process);
  box.boot = std::move(started.boot);
  box.go = std::move(started.go);
  return let_go(workshop, request, box);
}

Status make_meters(const Workshop& workshop, const BoxRequest& request, Box& box) {
  if (!box.isolated) return {};
  const BoxIds ids = ids_of(workshop, request.number);
  box.meters = TRY(workshop.meters.make_box(
      {request.number, request.leaves, ids.root, ids.root, request.profile.caps}));
  return {};
}

}  // namespace

Result<StartedLauncher> start_ahead(int launcher_image) {
  return clone_with({.image = launcher_image, .namespaces = kAtOnce, .later = kLater});
}

// The order is chosen for two cores: while the launcher execs, makes its network namespace and
// builds its root, we make its cgroups (on v2 it is born in one, so those come first) and compile
// its filter.
Status make_box(const Workshop& workshop, const BoxRequest& request, Box& box) {
  box.number = request.number;
  box.isolated = request.profile.isolation == Isolation::Full;
  Profile profile = request.profile;
  if (!box.isolated) TRY_STATUS(prepare_bare_work_directory(workshop, box, profile));
  const BoxRequest adjusted{request.number, profile,      request.filter,
                            request.mounts, request.core, request.leaves};
  os::PacketPair control = TRY(os::make_packet_pair());
  os::PacketPair run = TRY(os::make_packet_pair());
  box.slate = TRY(make_slate());
  const bool born_in_cgroup = workshop.meters.kind() == inside::Meters::V2;
  if (born_in_cgroup) TRY_STATUS(make_meters(workshop, adjusted, box));
  TRY_STATUS(start_launcher(workshop, adjusted, box));
  const PlanInputs inputs = plan_inputs(workshop, adjusted);
  const std::vector<std::byte> plan = TRY(lay_out(inputs));
  const std::array launcher_ends{control.theirs.get(), run.theirs.get(), box.slate.get()};
  TRY_STATUS(os::send_packet(box.boot.get(), plan, launcher_ends));
  if (!born_in_cgroup) TRY_STATUS(make_meters(workshop, adjusted, box));
  TRY_STATUS(send_meters(box));
  TRY_STATUS(send_filter(box, request, inputs.key));
  const inside::ControlReply reply = TRY(await_answer(box.boot.get()));
  box.go.reset();
  if (reply.answer != inside::Answer::BoxMade) return std::unexpected(explain(reply, plan));
  box.control = std::move(control.ours);
  box.run = std::move(run.ours);
  return {};
}

}  // namespace assay::sandbox::warden
