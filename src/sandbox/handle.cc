#include "sandbox/handle.h"

#include <poll.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <sstream>

namespace assay::sandbox {
namespace {

using inside::Answer;
using inside::ControlReply;
using inside::ControlRequest;
using inside::Order;

constexpr std::size_t kSlateSize = 4096;
constexpr int kPatienceMs = 20'000;

// Gives each descriptor to the meter it belongs to: they come in the order of the bits.
std::size_t deal(Leaf& leaf, std::uint32_t mask, std::vector<os::OwnedFd>& fds, std::size_t next) {
  for (unsigned i = 0; i < inside::kLeafFiles; ++i)
    if ((mask >> i & 1U) != 0 && next < fds.size())
      leaf.replace(static_cast<inside::LeafFile>(i), std::move(fds[next++]));
  return next;
}

// What a box says about times and sizes may be anything. Within these bounds it can be added up.
constexpr std::uint64_t kLongestTime = std::uint64_t{1} << 61;  // 73 years
constexpr std::uint64_t kLongestWait = std::uint64_t{1}
                                       << 55;  // a year: those of a group are added
constexpr std::uint64_t kMostKibibytes = std::uint64_t{1} << 50;

void bound(inside::Ended& ended) {
  for (std::uint64_t* time : {&ended.started_ns, &ended.ended_ns, &ended.cpu_base_ns,
                              &ended.init_cpu_ns, &ended.user_ns, &ended.system_ns})
    *time = std::min(*time, kLongestTime);
  ended.wanted_ns = std::min(ended.wanted_ns, kLongestWait);
  ended.max_rss_kib = std::min(ended.max_rss_kib, kMostKibibytes);
}

}  // namespace

Result<BoxHandle> BoxHandle::take(const WardenReply& reply, std::vector<os::OwnedFd> fds) {
  const int wanted = 3 + std::popcount(reply.leaf_files[0]) + std::popcount(reply.leaf_files[1]);
  if (fds.size() != static_cast<std::size_t>(wanted))
    return system_error(EPROTO, "take a box from the warden");
  BoxHandle box;
  box.number_ = reply.box;
  box.control_ = std::move(fds[0]);
  box.run_ = std::move(fds[1]);
  void* slate = ::mmap(nullptr, kSlateSize, PROT_READ, MAP_SHARED, fds[2].get(), 0);
  if (slate == MAP_FAILED) return system_error("map the slate of a box");
  box.slate_ = static_cast<const inside::Slate*>(slate);
  box.meters_ = reply.meters;
  std::size_t next = 3;
  for (unsigned leaf = 0; leaf < inside::kLeaves; ++leaf) {
    box.leaves_[leaf] = Leaf(reply.meters);
    next = deal(box.leaves_[leaf], reply.leaf_files[leaf], fds, next);
  }
  box.mode_ = reply.isolated == 0   ? BoxMode::None
              : reply.degraded != 0 ? BoxMode::Degraded
                                    : BoxMode::Full;
  std::istringstream lines(
      std::string(reply.text.data(), ::strnlen(reply.text.data(), reply.text.size())));
  for (std::string line; std::getline(lines, line);)
    box.missing_.push_back(line);
  return box;
}

BoxHandle::BoxHandle(BoxHandle&& other) noexcept {
  *this = std::move(other);
}

BoxHandle& BoxHandle::operator=(BoxHandle&& other) noexcept {
  number_ = other.number_;
  control_ = std::move(other.control_);
  run_ = std::move(other.run_);
  std::swap(slate_, other.slate_);
  meters_ = other.meters_;
  leaves_ = std::move(other.leaves_);
  leaf_ = other.leaf_;
  shared_names_ = std::move(other.shared_names_);
  spares_ = std::move(other.spares_);
  ready_ = other.ready_;
  early_ = std::move(other.early_);
  odd_ = other.odd_;
  home_ = other.home_;
  lacks_descriptors_ = other.lacks_descriptors_;
  mode_ = other.mode_;
  missing_ = std::move(other.missing_);
  sequence_ = other.sequence_;
  return *this;
}

BoxHandle::~BoxHandle() {
  if (slate_ != nullptr) ::munmap(const_cast<inside::Slate*>(slate_), kSlateSize);
}

void BoxHandle::note_ready(const ControlReply& reply, std::vector<os::OwnedFd> fds) {
  ready_ = true;
  odd_ = odd_ || reply.odd != 0 || reply.leaf >= inside::kLeaves ||
         reply.renewed_leaf >= inside::kLeaves;
  if (odd_) return;
  leaf_ = reply.leaf;
  if (meters_ == inside::Meters::V2)
    leaves_ = {Leaf(meters_), Leaf(meters_)};  // the last one has been read
  const std::size_t next = deal(leaves_[reply.renewed_leaf], reply.renewed, fds, 0);
  spares_.assign(std::make_move_iterator(fds.begin() + static_cast<std::ptrdiff_t>(next)),
                 std::make_move_iterator(fds.end()));
  odd_ =
      reply.spares != spares_.size() || (reply.spares != 0 && reply.spares != shared_names_.size());
}

Error BoxHandle::gone(int code) const {
  return {Fault::System, code, "talk to the launcher of box " + std::to_string(number_)};
}

Status BoxHandle::receive_reply(ControlReply& reply, os::Received& received, os::Wait wait) {
  auto packet = os::receive_packet(control_.get(), os::room_of(reply), wait);
  if (!packet) {
    odd_ = odd_ || packet.error().code != EAGAIN;
    lacks_descriptors_ = packet.error().code == EMSGSIZE;
    return std::unexpected(gone(packet.error().code));
  }
  received = std::move(*packet);
  if (received.size == sizeof reply) return {};
  odd_ = true;
  return std::unexpected(gone(received.size == 0 ? EPIPE : EPROTO));
}

bool BoxHandle::is_ready() {
  if (early_) {
    note_ready(early_->reply, std::move(early_->fds));
    early_.reset();
  }
  ControlReply reply{};
  os::Received received;
  while (!ready_ && !odd_ && receive_reply(reply, received, os::Wait::No))
    if (reply.answer == Answer::Ready) note_ready(reply, std::move(received.fds));
  return ready_ || odd_;
}

Status BoxHandle::await_ready() {
  while (!is_ready()) {
    pollfd waiting{control_.get(), POLLIN, 0};
    if (::poll(&waiting, 1, kPatienceMs) == 0) odd_ = true;
  }
  // One that was ready may have been killed since.
  pollfd closed{control_.get(), 0, 0};
  if (::poll(&closed, 1, 0) > 0) odd_ = true;
  if (lacks_descriptors_)
    return system_error(EMFILE, "take what box " + std::to_string(number_) + " hands over");
  if (odd_)
    return system_error(EPROTO,
                        "use box " + std::to_string(number_) + ", which is no longer sound");
  return {};
}

Status BoxHandle::ask(const ControlRequest& request, std::string_view names) {
  std::vector<std::byte> packet(sizeof request + names.size() + 1);
  std::memcpy(packet.data(), &request, sizeof request);
  std::memcpy(packet.data() + sizeof request, names.data(), names.size());
  const Status sent = os::send_packet(control_.get(), packet);
  if (!sent) return std::unexpected(gone(sent.error().code));
  return {};
}

// A Ready may come in between: one, since it says that the last run is over. A launcher that went
// bad could keep us here with more. It is put aside until the box is used again: it names the
// meters of the next run, and those of the last may not have been read yet. On a busy machine we
// ask after a run that is long over.
Result<os::Received> BoxHandle::hear_answer(ControlReply& reply) {
  for (int left = 2; left > 0; --left) {
    os::Received received;
    pollfd waiting{control_.get(), POLLIN, 0};
    if (::poll(&waiting, 1, kPatienceMs) == 0) {
      odd_ = true;
      return std::unexpected(gone(ETIMEDOUT));
    }
    TRY_STATUS(receive_reply(reply, received, os::Wait::Yes));
    if (reply.answer != Answer::Ready) return received;
    if (early_) break;
    early_ = Early{reply, std::move(received.fds)};
  }
  odd_ = true;
  return std::unexpected(gone(EPROTO));
}

Result<os::Received> BoxHandle::call(const ControlRequest& request, ControlReply& reply) {
  TRY_STATUS(ask(request, ""));
  os::Received received = TRY(hear_answer(reply));
  if (reply.answer == Answer::Failed) return system_error(reply.error, "");
  return received;
}

Result<std::vector<Result<os::OwnedFd>>> BoxHandle::serve_files(std::span<const FileOrder> orders) {
  // So few on the way that neither side ever waits for room in the socket while the other does.
  constexpr std::size_t kWindow = 16;
  std::vector<Result<os::OwnedFd>> answers;
  std::size_t asked = 0;
  while (answers.size() < orders.size()) {
    for (; asked < std::min(orders.size(), answers.size() + kWindow); ++asked) {
      const FileOrder& order = orders[asked];
      std::string names = order.name;
      if (order.order == Order::MakeLink) names += '\0' + order.target;
      TRY_STATUS(ask({.order = order.order, .mode = order.mode}, names));
    }
    ControlReply reply{};
    os::Received received = TRY(hear_answer(reply));
    if (reply.answer == Answer::Failed)
      answers.emplace_back(system_error(reply.error, ""));
    else
      answers.emplace_back(received.fds.empty() ? os::OwnedFd() : std::move(received.fds[0]));
  }
  return answers;
}

Result<std::vector<Result<os::OwnedFd>>> BoxHandle::shared_files(
    std::span<const FileOrder> orders) {
  std::vector<Result<os::OwnedFd>> files;
  if (!spares_.empty() && std::ranges::equal(orders, shared_names_, {}, &FileOrder::name)) {
    for (os::OwnedFd& spare : spares_)
      files.emplace_back(std::move(spare));
    spares_.clear();
    return files;
  }
  if (!spares_.empty()) {
    ControlReply reply{};
    TRY(call({.order = Order::DropSpares}, reply));
    spares_.clear();
  }
  if (orders.empty()) return files;
  shared_names_.clear();
  for (const FileOrder& order : orders)
    shared_names_.push_back(order.name);
  return serve_files(orders);
}

Status BoxHandle::resize_places(Bytes size, std::uint64_t inodes) {
  ControlReply reply{};
  TRY(call({.order = Order::Resize, .bytes = size.count, .inodes = inodes}, reply));
  return {};
}

Status BoxHandle::start(std::span<const std::byte> request, std::span<const int> fds) {
  ready_ = false;
  const Status sent = os::send_packet(run_.get(), request, fds);
  if (!sent) return std::unexpected(gone(sent.error().code));
  return {};
}

Result<std::optional<inside::Ended>> BoxHandle::take_ended() {
  inside::Ended ended{};
  const auto received = os::receive_packet(run_.get(), os::room_of(ended), os::Wait::No);
  if (!received && received.error().code == EAGAIN) return std::nullopt;
  if (!received || received->size != sizeof ended) {
    odd_ = true;
    return system_error(EPIPE, "hear from box " + std::to_string(number_));
  }
  if (ended.sequence != sequence_) return std::nullopt;
  bound(ended);
  return ended;
}

void BoxHandle::kill_run() {
  const ControlRequest request{.order = Order::Kill, .sequence = sequence_};
  if (!os::send_packet(control_.get(), os::bytes_of(request))) odd_ = true;
}

void BoxHandle::clean() {
  const ControlRequest request{.order = Order::Clean};
  if (!os::send_packet(control_.get(), os::bytes_of(request))) odd_ = true;
}

void BoxHandle::stop(bool stopped) {
  const ControlRequest request{.order = stopped ? Order::Stop : Order::Continue};
  if (!os::send_packet(control_.get(), os::bytes_of(request))) odd_ = true;
}

Result<ControlReply> BoxHandle::usage() {
  ControlReply reply{};
  TRY(call({.order = Order::Usage}, reply));
  reply.cpu_ns = std::min(reply.cpu_ns, kLongestTime);
  return reply;
}

Result<ControlReply> BoxHandle::standing() {
  ControlReply reply{};
  TRY(call({.order = Order::Standing}, reply));
  reply.wanted_ns = std::min(reply.wanted_ns, kLongestWait);
  return reply;
}

std::optional<BoxHandle::Started> BoxHandle::started() const {
  auto* slate = const_cast<inside::Slate*>(slate_);
  if (std::atomic_ref(slate->sequence).load(std::memory_order_acquire) != sequence_)
    return std::nullopt;
  const auto time = [](std::uint64_t& written) {
    return std::min(std::atomic_ref(written).load(std::memory_order_relaxed), kLongestTime);
  };
  return Started{time(slate->started_ns), time(slate->cpu_base_ns)};
}

}  // namespace assay::sandbox
