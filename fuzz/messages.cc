// What daemon, warden, launcher and init tell each other, each from the side that must not believe
// it.
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/check.h"
#include "fuzz/slices.h"
#include "fuzz/targets.h"
#include "os/packet.h"
#include "sandbox/inside/unpack.h"
#include "sandbox/request.h"
#include "sandbox/warden_order.h"
#include "sandbox/watch.h"

namespace assay::fuzz {
namespace {

using namespace sandbox;  // NOLINT(google-build-using-namespace)

std::span<const std::byte> as_packet(std::string_view bytes) {
  return std::as_bytes(std::span(bytes));
}

// What init does with a request, in memory that ends where the message does.
void unpack_as_init(std::vector<char> message, unsigned fd_count) {
  inside::RunRequest request{};
  if (message.size() < sizeof request) return;
  std::memcpy(&request, message.data(), sizeof request);
  if (!inside::is_shaped(request, message.size(), fd_count)) return;
  char* text = message.data() + sizeof request;
  const char* strings_end = text + (request.long_strings != 0 ? 0 : request.strings);
  std::vector<char*> pointers(256);
  char** next = pointers.data();
  char* const* pointers_end = pointers.data() + pointers.size();
  for (const std::uint32_t count : {request.candidates, request.argc, request.envc}) {
    char** first = inside::point_at(text, strings_end, next, pointers_end, count);
    if (first == nullptr) return;
    for (std::uint32_t i = 0; i < count; ++i)
      CHECK(first[i] + std::strlen(first[i]) < strings_end);
    CHECK(first[count] == nullptr);
  }
  const char* list = strings_end;
  const char* end = message.data() + message.size();
  for (std::uint32_t i = 0; i < request.put_ins; ++i) {
    inside::PutInPart part;
    if (!inside::take_put_in(list, end, part)) return;
    CHECK(std::strlen(part.name) < part.what.name && part.content + part.what.content <= end);
  }
}

// A spec made of the parts of the input.
Spec spec_of(Slices& in) {
  Spec spec;
  const unsigned counts = in.byte();
  for (unsigned i = 0; i < counts % 4; ++i)
    spec.argv.emplace_back(in.part());
  for (unsigned i = 0; i < counts / 4 % 4; ++i)
    spec.environment.emplace_back(in.part());
  for (unsigned i = 0; i < counts / 16 % 4; ++i) {
    const std::string name(in.part());
    spec.files_in.push_back({.name = name, .content = in.part()});
  }
  for (unsigned i = 0; i < counts / 64; ++i) {
    const std::string name(in.part());
    spec.links_in.push_back({.name = name, .target = std::string(in.part())});
  }
  return spec;
}

// A box that has said all that it will ever say, and still listens.
struct SaidBox {
  BoxHandle box;
  os::OwnedFd control, run;
  std::uint64_t sequence = 0;
};

Result<SaidBox> box_that_said(Slices& in) {
  os::PacketPair control = TRY(os::make_packet_pair());
  os::PacketPair run = TRY(os::make_packet_pair());
  os::OwnedFd slate(::memfd_create("slate", MFD_CLOEXEC));
  if (::ftruncate(slate.get(), 4096) < 0) return system_error("make a slate");
  const auto written = in.flat<inside::Slate>();
  const std::uint64_t sequence = written.sequence % 4;
  (void)!::pwrite(slate.get(), &written, sizeof written, 0);
  for (unsigned replies = in.byte() % 4; replies > 0; --replies)
    (void)os::send_packet(control.theirs.get(), os::bytes_of(in.flat<inside::ControlReply>()));
  inside::Ended ended = in.flat<inside::Ended>();
  ended.sequence = sequence;
  (void)os::send_packet(run.theirs.get(), os::bytes_of(ended));
  (void)os::send_packet(run.theirs.get(), as_packet(in.part()));
  ::shutdown(control.theirs.get(), SHUT_WR);
  ::shutdown(run.theirs.get(), SHUT_WR);
  std::vector<os::OwnedFd> fds;
  fds.push_back(std::move(control.ours));
  fds.push_back(std::move(run.ours));
  fds.push_back(std::move(slate));
  BoxHandle box =
      TRY(BoxHandle::take({.answer = WardenAnswer::BoxMade, .isolated = 1}, std::move(fds)));
  return SaidBox{std::move(box), std::move(control.theirs), std::move(run.theirs), sequence};
}

void check_facts(const Facts& facts) {
  CHECK(facts.cpu_total >= Nanoseconds{} && facts.wall >= Nanoseconds{});
  if (const auto* signaled = std::get_if<Signaled>(&facts.end))
    CHECK(!name_of_signal(signaled->signal).empty());
  if (const auto* forbidden = std::get_if<Forbidden>(&facts.end))
    CHECK(!name_of_syscall(forbidden->syscall).empty());
  if (const auto* failed = std::get_if<NotStarted>(&facts.end)) CHECK(!describe(*failed).empty());
}

}  // namespace

// The warden's side; what it takes, the daemon could have written.
void warden_call(std::string_view bytes) {
  const auto call = read_call(as_packet(bytes));
  if (!call) {
    CHECK(is_explained(call, bytes.size()));
    return;
  }
  CHECK(call->mounts.size() == call->request.mounts && call->profile.size() <= kMaxProfileName);
  const auto packet = write_call(*call);
  if (!packet) return;
  const auto again = read_call(*packet);
  CHECK(again.has_value() && again->mounts == call->mounts && again->profile == call->profile);
}

// What the daemon writes is what init reads; and what nobody wrote hurts nobody.
void run_message(std::string_view bytes) {
  Slices in(bytes);
  if (in.byte() % 2 == 0) {
    const unsigned fds = in.byte();
    const std::string_view message = in.rest();
    return unpack_as_init({message.begin(), message.end()}, fds);
  }
  const Spec spec = spec_of(in);
  if (!check_spec(spec)) return;
  const auto travels = travels_with_request(spec);
  if (!travels) return;
  const auto message = make_message(spec, {}, {}, true, *travels);
  if (!message || message->header.long_strings != 0) return;
  const std::vector<std::byte> packet = message->packet();
  const auto* begin = reinterpret_cast<const char*>(packet.data());
  CHECK(inside::is_shaped(message->header, packet.size(), message->header.descriptors));
  unpack_as_init({begin, begin + packet.size()}, message->header.descriptors);
  const char* list = begin + sizeof message->header + message->strings.size();
  for (std::uint32_t i = 0; i < message->header.put_ins; ++i) {
    inside::PutInPart part;
    CHECK(inside::take_put_in(list, begin + packet.size(), part));
  }
  CHECK(message->header.put_ins == 0 || list == begin + packet.size());
}

void box_words(std::string_view bytes) {
  Slices in(bytes);
  const unsigned limits = in.byte();
  auto said = box_that_said(in);
  CHECK(said.has_value());
  BoxHandle& box = said->box;
  while (box.runs() < said->sequence)
    box.next_sequence();
  Spec spec{.argv = {"x"}};
  for (unsigned i = 0; i < limits % 4; ++i)
    spec.files_in.push_back({.name = "f"});
  Watched watched(spec, {.cpu_time = Nanoseconds(1), .idle_time = Nanoseconds(1)}, box);
  const Clock::time_point now = Clock::now();
  (void)box.is_ready();
  watched.started(now);
  if (limits >= 128) watched.check(now);
  (void)watched.usage(now);
  if (!watched.hear() || !watched.is_over()) watched.give_up();
  if (const auto facts = watched.facts()) check_facts(*facts);
}

}  // namespace assay::fuzz
