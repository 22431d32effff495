#include "sandbox/warden/warden.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string_view>

#include "os/file.h"
#include "os/packet.h"
#include "sandbox/warden/box.h"
#include "sandbox/warden/boxes.h"
#include "sandbox/warden/identity.h"
#include "sandbox/warden/plan.h"
#include "sandbox/warden/spawn.h"
#include "sandbox/warden_order.h"

extern "C" const char assay_launcher_begin[];
extern "C" const char assay_launcher_end[];

namespace assay::sandbox::warden {
namespace {

// For boxes that are still dying when the daemon has gone. Less than systemd gives the service.
constexpr std::chrono::seconds kLastPatience{20};

template <std::size_t N>
void put(std::array<char, N>& into, std::string_view text) {
  into.fill('\0');
  std::memcpy(into.data(), text.data(), std::min(text.size(), N - 1));
}

// Root must not follow rules that somebody else can write. Whoever owns this very program could
// have changed it, too.
Status require_trusted(const std::string& path) {
  struct stat found{};
  struct stat program{};
  if (::stat(path.c_str(), &found) < 0) return system_error("look at '" + path + "'");
  if (::stat("/proc/self/exe", &program) < 0) return system_error("look at our own program");
  const bool ours =
      found.st_uid == 0 || found.st_uid == ::geteuid() || found.st_uid == program.st_uid;
  if (!ours || (found.st_mode & S_IWOTH) != 0 ||
      (::geteuid() == 0 && (found.st_mode & S_IWGRP) != 0 && found.st_gid != 0))
    return invalid("'" + path +
                   "' must belong to root or the engine's user and must not be writable by others");
  return {};
}

class Warden {
 public:
  Warden(WardenOptions options, Instance instance, Meters meters, os::OwnedFd image,
         StartedLauncher spare)
      : options_(std::move(options)),
        instance_(std::move(instance)),
        meters_(std::move(meters)),
        image_(std::move(image)),
        spare_(std::move(spare)),
        workshop_{instance_, meters_, image_.get(), find_identities(), &spare_} {}

  void serve_until_alone();
  Status leave_no_trace();

 private:
  struct Loaded {
    Profile profile;
    std::optional<Filter> filter;
  };
  Result<Loaded*> loaded(const std::string& name);
  Result<const Filter*> filter_of(Loaded& entry);
  Status answer(std::span<const std::byte> packet);
  Status make(WardenCall call);
  Status retire(std::uint32_t number);
  Status fail(const Error& error);
  Status hand_over(const Box& box);
  [[nodiscard]] std::string degradation() const;

  WardenOptions options_;
  Instance instance_;
  Meters meters_;
  os::OwnedFd image_;
  StartedLauncher spare_;
  Workshop workshop_;
  std::map<std::string, Loaded> profiles_;
  Boxes boxes_;
};

Result<Warden::Loaded*> Warden::loaded(const std::string& name) {
  if (const auto known = profiles_.find(name); known != profiles_.end()) return &known->second;
  if (!is_profile_name(name)) return invalid("'" + name + "' is not a profile name");
  TRY_STATUS(require_trusted(options_.profiles));
  const std::string path = options_.profiles + "/" + name + ".toml";
  if (os::exists(path))
    TRY_STATUS(require_trusted(path));  // a missing one is better explained below
  Loaded entry{TRY(load_profile(options_.profiles, name)), std::nullopt};
  return &profiles_.emplace(name, std::move(entry)).first->second;
}

// Compiled when a box of the profile is first made, and kept.
Result<const Filter*> Warden::filter_of(Loaded& entry) {
  if (entry.filter) return &*entry.filter;
  const std::string path = options_.profiles + "/seccomp/" + entry.profile.seccomp + ".json";
  if (os::exists(path)) TRY_STATUS(require_trusted(path));
  entry.filter = TRY(load_filter(options_.profiles, entry.profile.seccomp));
  return &*entry.filter;
}

std::string Warden::degradation() const {
  std::string text;
  for (const std::string& line : meters_.missing())
    text += line + "\n";
  if (workshop_.identities == Identities::Single)
    text += "identities: one user id only (no newuidmap or no /etc/subuid entry)\n";
  return text;
}

Status Warden::fail(const Error& error) {
  WardenReply reply{.answer = WardenAnswer::Failed,
                    .fault = static_cast<std::uint32_t>(error.fault),
                    .error = error.code};
  put(reply.text, error.context);
  return os::send_packet(options_.socket, os::bytes_of(reply));
}

Status Warden::hand_over(const Box& box) {
  const std::string missing = box.isolated ? degradation() : "";
  WardenReply reply{.answer = WardenAnswer::BoxMade,
                    .box = box.number,
                    .meters = box.isolated ? meters_.kind() : inside::Meters::None,
                    .degraded = missing.empty() ? 0U : 1U,
                    .isolated = box.isolated ? 1U : 0U,
                    .leaf_files = box.meters.leaf_mask,
                    .launcher_pid = static_cast<std::uint32_t>(box.launcher.pid())};
  put(reply.instance, instance_.name());
  put(reply.text, missing);
  std::vector<int> fds{box.control.get(), box.run.get(), box.slate.get()};
  for (const auto& leaf : box.meters.leaf_files)
    for (const os::OwnedFd& fd : leaf)
      fds.push_back(fd.get());
  return os::send_packet(options_.socket, os::bytes_of(reply), fds);
}

Status Warden::make(WardenCall call) {
  Loaded* entry = TRY(loaded(call.profile));
  BoxRequest wanted{0,
                    entry->profile,
                    {},
                    std::move(call.mounts),
                    call.request.core,
                    call.request.one_shot != 0 && boxes_.is_empty() ? 1U : inside::kLeaves};
  if (!entry->profile.seccomp.empty())
    wanted.filter = [this, entry] {
      return filter_of(*entry);
    };
  if (wanted.core < -1 || wanted.core >= 1024) return invalid("no such core");
  TRY_STATUS(allow_mounts(entry->profile, wanted.mounts));
  wanted.number = TRY(boxes_.free_number());
  Box box;
  Status done = make_box(workshop_, wanted, box);
  if (done) done = hand_over(box);
  box.forget_handle();
  if (done)
    boxes_.add(std::move(box));
  else
    boxes_.end(std::move(box));  // nobody would ever retire it
  return done;
}

Status Warden::retire(std::uint32_t number) {
  if (!boxes_.retire(number)) return invalid("no box " + std::to_string(number));
  const WardenReply reply{.answer = WardenAnswer::BoxRetired, .box = number};
  return os::send_packet(options_.socket, os::bytes_of(reply));
}

Status Warden::answer(std::span<const std::byte> packet) {
  WardenCall call = TRY(read_call(packet));
  switch (call.request.order) {
    case WardenOrder::MakeBox:
      return make(std::move(call));
    case WardenOrder::RetireBox:
      return retire(call.request.box);
    case WardenOrder::Describe: {
      WardenReply reply{.answer = WardenAnswer::Described,
                        .meters = meters_.kind(),
                        .degraded = degradation().empty() ? 0U : 1U};
      put(reply.instance, instance_.name());
      put(reply.text, degradation());
      return os::send_packet(options_.socket, os::bytes_of(reply));
    }
  }
  return invalid("an unknown request");
}

void Warden::serve_until_alone() {
  std::vector<std::byte> packet(kMaxWardenRequest);
  for (;;) {
    boxes_.bury_until_asked(options_.socket);
    const auto received = os::receive_packet(options_.socket, packet);
    if (!received || received->size == 0) return;
    const Status done = answer(std::span(packet).first(received->size));
    if (!done && !fail(done.error())) return;
  }
}

Status Warden::leave_no_trace() {
  spare_ = {};
  TRY_STATUS(boxes_.end_all(kLastPatience));
  const auto alone = instance_.keep_others_out();
  meters_.release();
  return {};
}

// Descriptors 0 to 9 stay taken, so that the launcher's child code may use 3 and 4 freely.
Status reserve_low_descriptors() {
  const os::OwnedFd nothing = TRY(os::open("/dev/null", O_RDWR));
  for (int fd = 0; fd < 10; ++fd)
    if (::fcntl(fd, F_GETFD) < 0) (void)::dup2(nothing.get(), fd);
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
  return {};
}

}  // namespace

Status serve(const WardenOptions& options) {
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGINT, SIG_IGN);  // Ctrl-C at a terminal is for the daemon; we end when it is gone
  ::signal(SIGTERM, SIG_IGN);
  ::umask(022);  // whoever is not root could not enter directories and cgroups that his own closed
  TRY_STATUS(reserve_low_descriptors());
  const std::string_view image(assay_launcher_begin,
                               static_cast<std::size_t>(assay_launcher_end - assay_launcher_begin));
  os::OwnedFd launcher = TRY(os::sealed_memory("assay-launcher", image, true));
  // Before anything else: the kernel takes its time for a network namespace. Where none can be
  // made, the first request says so.
  StartedLauncher spare;
  if (auto ahead = start_ahead(launcher.get())) spare = std::move(*ahead);
  Instance instance = TRY(Instance::begin());
  os::OwnedFd alone = TRY(instance.keep_others_out());
  Meters meters = Meters::probe(instance.name(), options.cpu_quota);
  alone.reset();
  if (meters.kind() == inside::Meters::V2) spare = {};
  auto warden = std::make_unique<Warden>(options, std::move(instance), std::move(meters),
                                         std::move(launcher), std::move(spare));
  warden->serve_until_alone();
  Status gone = warden->leave_no_trace();
  // Its destructors would wait for a box that does not end, and remove the lock file by which the
  // next engine finds what is left.
  if (!gone) (void)warden.release();
  return gone;
}

}  // namespace assay::sandbox::warden
