#include "sandbox/warden_link.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <memory>

namespace assay::sandbox {

WardenLink::WardenLink(os::Process process, os::OwnedFd socket)
    : process_(std::move(process)),
      socket_(std::move(socket)),
      lock_(std::make_unique<std::mutex>()) {}

Result<WardenLink> WardenLink::start(const Options& options) {
  os::PacketPair pair = TRY(os::make_packet_pair());
  const std::array<int, 4> fds{2, 2, 2, pair.theirs.get()};
  std::vector<std::string> arguments{options.profiles};
  if (options.cpu_quota) arguments.emplace_back("cpu-quota");
  os::Process process = TRY(os::spawn(options.warden, arguments, fds));
  os::step_aside();
  return WardenLink(std::move(process), std::move(pair.ours));
}

namespace {

// What spawn() gives to a program: 0, 1 and 2 are stderr, 3 is the socket, nothing else is open.
[[noreturn]] void become_warden(WardenMain warden, const std::string& profiles, int socket) {
  constexpr int kSocket = 3;
  ::prctl(PR_SET_NAME, "assay-warden");
  bool sound = ::dup2(2, 0) >= 0 && ::dup2(2, 1) >= 0;
  if (socket == kSocket)
    sound = sound && ::fcntl(socket, F_SETFD, 0) == 0;
  else
    sound = sound && ::dup2(socket, kSocket) >= 0;
  sound = sound && ::close_range(kSocket + 1, ~0U, 0) == 0;
  ::_exit(sound ? warden(profiles, kSocket) : 1);
}

}  // namespace

Result<WardenLink> WardenLink::fork(WardenMain warden, const std::string& profiles) {
  os::PacketPair pair = TRY(os::make_packet_pair());
  const pid_t pid = ::fork();
  if (pid < 0) return system_error("start the warden");
  if (pid == 0) become_warden(warden, profiles, pair.theirs.get());
  os::OwnedFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  os::step_aside();
  return WardenLink(os::Process(pid, std::move(pidfd)), std::move(pair.ours));
}

WardenLink::~WardenLink() {
  socket_.reset();
  if (process_.is_running()) process_.wait();
}

Status WardenLink::ask(const WardenCall& order) {
  const std::vector<std::byte> packet = TRY(write_call(order));
  const Status sent = os::send_packet(socket_.get(), packet);
  if (!sent) return system_error(sent.error().code, "the warden is gone: no new boxes can be made");
  return {};
}

Result<os::Received> WardenLink::answer(WardenReply& reply) {
  auto received = os::receive_packet(socket_.get(), os::room_of(reply));
  if (!received && received.error().code == EMSGSIZE)
    return system_error(EMFILE, "take what the warden hands over");
  if (!received || received->size != sizeof reply)
    return system_error(received ? EPIPE : received.error().code,
                        "the warden is gone: no new boxes can be made");
  if (reply.answer == WardenAnswer::Failed)
    return std::unexpected(
        Error{static_cast<Fault>(reply.fault), reply.error,
              std::string(reply.text.data(), ::strnlen(reply.text.data(), reply.text.size()))});
  return received;
}

Result<os::Received> WardenLink::call(const WardenRequest& request, WardenReply& reply) {
  const std::lock_guard guard(*lock_);
  TRY_STATUS(ask({.request = request}));
  return answer(reply);
}

Status WardenLink::order_box(const BoxOrder& order) {
  return ask({.request = {.order = WardenOrder::MakeBox,
                          .core = order.core,
                          .one_shot = order.one_shot ? 1U : 0U},
              .profile = order.profile,
              .mounts = order.mounts});
}

Result<BoxHandle> WardenLink::take_box() {
  WardenReply reply;
  auto received = answer(reply);
  if (received) return BoxHandle::take(reply, std::move(received->fds));
  // Made, but some of its descriptors found no room among ours: nobody else would give it back.
  WardenReply retired;
  if (reply.answer == WardenAnswer::BoxMade && received.error().code == EMFILE &&
      ask({.request = {.order = WardenOrder::RetireBox, .box = reply.box}}))
    (void)answer(retired);
  return std::unexpected(received.error());
}

Result<BoxHandle> WardenLink::make_box(const BoxOrder& order) {
  const std::lock_guard guard(*lock_);
  TRY_STATUS(order_box(order));
  return take_box();
}

Status WardenLink::retire(std::uint32_t box) {
  WardenReply reply;
  TRY(call({.order = WardenOrder::RetireBox, .box = box}, reply));
  return {};
}

Result<WardenReply> WardenLink::describe() {
  WardenReply reply;
  TRY(call({.order = WardenOrder::Describe}, reply));
  return reply;
}

}  // namespace assay::sandbox
