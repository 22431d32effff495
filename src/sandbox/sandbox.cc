#include "sandbox/sandbox.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <thread>

#include "os/file.h"
#include "os/standard_streams.h"
#include "sandbox/live.h"
#include "sandbox/pool.h"
#include "sandbox/request.h"
#include "sandbox/transfer.h"
#include "sandbox/watch.h"

namespace assay::sandbox {
namespace {

std::string find_profiles() {
  const std::string here = os::own_directory();
  for (const std::string& candidate :
       {here + "/../share/assay/profiles", here + "/../../../profiles"})
    if (os::exists(candidate)) return candidate;
  return "/usr/share/assay/profiles";
}

struct Start {
  bool one_shot = false;
  bool files_travel = true;  // with the request; else they are in the box already
  std::uint32_t home = 0;
};

// A memory for each run: what a program can do to its own executable without writing to it (locks,
// hints, huge pages) is gone with it.
Result<os::OwnedFd> memory_of(const Spec& spec) {
  constexpr std::size_t kLongestName = 200;  // of what the kernel takes
  const std::string& path = spec.argv.front();
  const std::string name = path.substr(path.rfind('/') + 1).substr(0, kLongestName);
  return os::sealed_memory(name.c_str(), spec.program, true);
}

Status start_program(Watched& program, const Spec& spec, const Profile& profile,
                     const Limits& limits, const Start& how, Pipes& pipes) {
  BoxHandle& box = program.box();
  RunMessage message = TRY(make_message(spec, profile, limits, box.has_meters(), how.files_travel));
  TRY_STATUS(program.streams().open(limits));
  std::vector<int> fds = TRY(program.streams().descriptors(pipes));
  fds.insert(fds.end(), message.copies.begin(), message.copies.end());
  os::OwnedFd image;
  if (!spec.program.empty()) {
    image = TRY(memory_of(spec));
    fds.push_back(image.get());
  }
  os::OwnedFd strings;
  if (message.header.long_strings != 0) {
    strings = TRY(os::sealed_memory("assay-strings", message.strings));
    fds.push_back(strings.get());
  }
  TRY_STATUS(box.leaf().begin(limits));
  if (how.one_shot) message.header.clean_after = 0;
  message.header.sequence = box.next_sequence();
  message.header.home = how.home;
  box.waits_on(how.home);
  TRY_STATUS(box.start(message.packet(), fds));
  program.started(Clock::now());
  return {};
}

Status give_room(BoxHandle& box, const Limits& limits, const Profile& profile) {
  const bool changed = limits.disk != profile.limits.disk || limits.inodes != profile.limits.inodes;
  if (!changed || (!limits.disk && !limits.inodes)) return {};
  return box.resize_places(limits.disk.value_or(256_MiB), limits.inodes.value_or(65536));
}

// Those that run already are watched meanwhile. One that has ended shortens nothing: whoever starts
// late starts that late.
Status keep_gap(std::span<Watched> earlier, Nanoseconds gap, Control* control) {
  if (earlier.empty() || gap <= Nanoseconds{}) return {};
  const Clock::time_point until = Clock::now() + gap;
  TRY_STATUS(watch(earlier, control, until));
  std::this_thread::sleep_until(until);
  return {};
}

// What the host lacks is not in the request, whatever it asked for.
bool is_of_the_host(int error) {
  constexpr std::array kErrors{ENOMEM, EIO, EMFILE, ENFILE, EINTR, EAGAIN};
  return std::ranges::find(kErrors, error) != kErrors.end();
}

Error put_in_error(const FileError& file) {
  const bool filling = file.stage == FileStage::Fill;
  const bool ours = filling || is_of_the_host(file.error);
  return {ours ? Fault::System : Fault::InvalidRequest, file.error,
          filling ? "fill '" + file.name + "' in the box" : "put '" + file.name + "' into the box"};
}

// The core, plus one, for an init to wait on: the program's, if it has but one, as a program that
// is started elsewhere must be moved there. Else that of this thread, while the engine has one
// program to run; when all cores are busy, a waiting init is better off where the scheduler puts
// it.
std::uint32_t home_for(const Spec& spec, unsigned programs) {
  if (spec.cores.size() == 1) return spec.cores.front() + 1;
  return programs == 1 ? static_cast<std::uint32_t>(::sched_getcpu() + 1) : 0;
}

// Who ended first is told by the clock of those who saw it, not by the order in which we heard.
void number_exits(std::vector<Watched>& programs, std::vector<Facts>& facts) {
  for (std::size_t i = 0; i < facts.size(); ++i)
    facts[i].exit_order = static_cast<unsigned>(std::ranges::count_if(
        programs, [&](const Watched& other) { return other.ended_ns() < programs[i].ended_ns(); }));
}

}  // namespace

namespace {

// What this process was started with is no limit of the programs: a hard one cannot be raised in a
// box. Where we may, we raise it for ourselves and so for all that we start; of a stack and of
// cores only the hard limit matters to us (a program's cores have a limit of 1, see shed.cc).
void lift_own_limits() {
  if (::geteuid() != 0) return;
  for (const auto resource :
       {RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_DATA, RLIMIT_AS, RLIMIT_STACK, RLIMIT_CORE}) {
    rlimit own{};
    if (::getrlimit(resource, &own) != 0 || own.rlim_max == RLIM_INFINITY) continue;
    own.rlim_max = RLIM_INFINITY;
    if (resource != RLIMIT_STACK && resource != RLIMIT_CORE) own.rlim_cur = RLIM_INFINITY;
    (void)::setrlimit(resource, &own);  // in a user namespace it stays as it is
  }
}

}  // namespace

Result<Sandbox> Sandbox::start(Options options) {
  os::fill_standard_streams();
  lift_own_limits();
  if (options.warden.empty()) options.warden = os::own_directory() + "/assay-warden";
  if (options.profiles.empty()) options.profiles = find_profiles();
  WardenLink link =
      TRY(options.warden_main != nullptr ? WardenLink::fork(options.warden_main, options.profiles)
                                         : WardenLink::start(options));
  return Sandbox(std::make_unique<Pool>(std::move(options), std::move(link)));
}

Sandbox::Sandbox(std::unique_ptr<Pool> pool) : pool_(std::move(pool)) {}
Sandbox::Sandbox(Sandbox&&) noexcept = default;
Sandbox& Sandbox::operator=(Sandbox&&) noexcept = default;
Sandbox::~Sandbox() = default;

void Sandbox::accept_degraded() noexcept {
  pool_->accept_degraded();
}

Status Sandbox::order_ahead(const Spec& spec) {
  return pool_->order_ahead(spec);
}

Result<Facts> Sandbox::run(const Spec& spec, Control* control) {
  std::vector<Facts> facts = TRY(run_together(std::span(&spec, 1), control));
  if (const auto* end = std::get_if<NotStarted>(&facts.front().end);
      end != nullptr && end->step == kPutIn)
    return std::unexpected(put_in_error(facts.front().file_errors.front()));
  return std::move(facts.front());
}

Result<std::vector<Facts>> Sandbox::run_together(std::span<const Spec> specs, Control* control) {
  std::vector<Pool::Loan> boxes;
  std::vector<Watched> programs;
  std::vector<Limits> limits;
  std::vector<const Profile*> profiles;
  std::vector<bool> files_travel;
  TRY_STATUS(LiveRun::check(control));
  for (const Spec& spec : specs) {
    TRY_STATUS(check_spec(spec));
    profiles.push_back(TRY(pool_->profile(spec.profile)));
    limits.push_back(merge_limits(spec.limits, profiles.back()->limits));
    TRY_STATUS(check_grantable(limits.back()));
  }
  for (std::size_t i = 0; i < specs.size(); ++i) {
    boxes.push_back(TRY(pool_->lend(specs[i])));
    programs.emplace_back(specs[i], limits[i], *boxes.back());
    TRY_STATUS(give_room(*boxes.back(), limits[i], *profiles[i]));
    files_travel.push_back(TRY(travels_with_request(specs[i])));
    if (auto trouble = TRY(put_in(*boxes.back(), specs[i], files_travel[i])))
      programs.back().never_starts(std::move(*trouble));
  }
  std::optional<Underway> underway(control);
  underway->await_leave(specs.size());
  Pipes pipes;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    TRY_STATUS(keep_gap(std::span(programs).first(i), specs[i].start_gap, control));
    if (programs[i].is_over())
      programs[i].streams().program_started();  // its peers must not wait for it
    else
      TRY_STATUS(start_program(programs[i], specs[i], *profiles[i], limits[i],
                               {.one_shot = pool_->is_one_shot(),
                                .files_travel = files_travel[i],
                                .home = home_for(specs[i], pool_->lent())},
                               pipes));
  }
  pipes.clear();
  TRY_STATUS(watch(programs, control));
  underway.reset();
  std::vector<Facts> facts;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    facts.push_back(TRY(programs[i].facts()));
    if (programs[i].never_started()) continue;  // its box holds half of its files: not for others
    if (takes_out(specs[i])) {
      TRY_STATUS(take_out(*boxes[i], specs[i], facts.back()));
      if (!pool_->is_one_shot()) boxes[i]->clean();
    }
    boxes[i].finished();
  }
  number_exits(programs, facts);
  return facts;
}

Status Sandbox::know(const std::string& profile) {
  TRY_STATUS(pool_->profile(profile));
  return {};
}

Status Sandbox::prepare(const std::string& profile, unsigned count) {
  return pool_->prepare(profile, count);
}

Status Sandbox::await_clean() {
  return pool_->await_clean();
}

void Sandbox::retire_unneeded() {
  pool_->retire_unneeded();
}

Result<HostMeters> Sandbox::meters() const {
  const WardenReply reply = TRY(pool_->link().describe());
  HostMeters found{.cgroups = static_cast<unsigned>(reply.meters)};
  std::string_view text(reply.text.data(), ::strnlen(reply.text.data(), reply.text.size()));
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    found.missing.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return found;
}

Sandbox::Boxes Sandbox::boxes() const {
  return pool_->boxes();
}

int Sandbox::warden_pid() const {
  return pool_->link().pid();
}

std::string Sandbox::instance() const {
  const auto reply = pool_->link().describe();
  if (!reply) return "";
  return {reply->instance.data(), ::strnlen(reply->instance.data(), reply->instance.size())};
}

}  // namespace assay::sandbox
