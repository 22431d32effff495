// Between the daemon and the process that opens host files for it: a path goes there, and a
// descriptor or an error comes back. Both ends live here, one after the other.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <climits>

#include "app/daemon/host_file.h"
#include "base/check.h"
#include "fuzz/slices.h"
#include "fuzz/targets.h"
#include "os/packet.h"

namespace assay::fuzz {
namespace {

constexpr std::size_t kReply = 2 * sizeof(std::int32_t) + PATH_MAX + 1024;

struct OpenersReply {
  std::vector<std::byte> bytes{};  // none: it does not answer to that
  std::vector<os::OwnedFd> fds{};
};

OpenersReply ask_opener(std::string_view path, const std::vector<std::string>& prefixes) {
  const auto pair = os::make_packet_pair();
  CHECK(pair.has_value());
  CHECK(os::send_packet(pair->theirs.get(), std::as_bytes(std::span(path))));
  ::shutdown(pair->theirs.get(), SHUT_WR);
  daemon::serve_host_files(pair->ours.get(), prefixes);
  OpenersReply reply{.bytes = std::vector<std::byte>(kReply + 1)};
  auto received = os::receive_packet(pair->theirs.get(), reply.bytes, os::Wait::No);
  if (!received) return {};
  reply.bytes.resize(received->size);
  reply.fds = std::move(received->fds);
  return reply;
}

// As the daemon reads it.
Result<os::OwnedFd> hear(const std::string& path, const OpenersReply& reply) {
  auto pair = os::make_packet_pair();
  CHECK(pair.has_value());
  std::vector<int> fds;
  for (const os::OwnedFd& fd : reply.fds)
    fds.push_back(fd.get());
  CHECK(os::send_packet(pair->theirs.get(), reply.bytes, fds));
  return daemon::HostFiles(std::move(pair->ours)).open(path);
}

void check_host_file(int fd, const std::vector<std::string>& prefixes) {
  struct stat status{};
  CHECK(::fstat(fd, &status) == 0 && S_ISREG(status.st_mode));
  CHECK((::fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY);
  std::array<char, PATH_MAX> place{};
  const std::string name = "/proc/self/fd/" + std::to_string(fd);
  const ssize_t size = ::readlink(name.c_str(), place.data(), place.size());
  CHECK(size > 0);
  const std::string_view where(place.data(), static_cast<std::size_t>(size));
  for (const std::string& prefix : prefixes)
    CHECK(where.starts_with(prefix + "/"));
  CHECK(!where.starts_with("/proc/") && !where.starts_with("/sys/") && !where.starts_with("/dev/"));
}

void check_both_ends(const std::string& path, const std::vector<std::string>& prefixes) {
  const OpenersReply reply = ask_opener(path, prefixes);
  if (reply.bytes.empty()) {
    CHECK(path.empty() || path.size() > PATH_MAX);
    return;
  }
  CHECK(reply.bytes.size() == kReply && reply.fds.size() <= 1);
  const auto heard = hear(path, reply);
  const auto direct = daemon::open_host_file(path, prefixes);
  CHECK(heard.has_value() == direct.has_value());
  if (heard) return check_host_file(heard->get(), prefixes);
  CHECK(heard.error().fault == direct.error().fault && heard.error().code == direct.error().code);
  CHECK(!heard.error().context.empty() &&
        direct.error().context.starts_with(heard.error().context));
}

}  // namespace

void host_file(std::string_view bytes) {
  Slices in(bytes);
  const unsigned how = in.byte();
  if (how % 4 != 3) {
    const std::vector<std::string> prefixes =
        how % 4 == 0 ? std::vector<std::string>{} : std::vector<std::string>{"/etc"};
    return check_both_ends(std::string(in.rest()), prefixes);
  }
  // A reply that no opener of ours would make.
  OpenersReply reply;
  if ((how & 4U) != 0) reply.fds.emplace_back(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  std::string said(in.rest());
  if ((how & 8U) != 0) said.resize(kReply);
  if (said.empty()) return;
  const auto* begin = reinterpret_cast<const std::byte*>(said.data());
  reply.bytes.assign(begin, begin + said.size());
  const auto heard = hear("/x", reply);
  CHECK(!heard || !reply.fds.empty());
  CHECK(heard || heard.error().context.size() <= PATH_MAX + 1024);
}

}  // namespace assay::fuzz
