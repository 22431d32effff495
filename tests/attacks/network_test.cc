// Row 27: the network, with somebody who listens.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <vector>

#include "tests/attacks/attack.h"

namespace assay::test {
namespace {

using Attack27Network = Attack;

// Listens on the host until it goes; tells who came. Closed when the host lacks the family.
class Listener {
 public:
  Listener(const void* address, socklen_t length) {
    std::memcpy(&address_, address, length_ = length);
    fd_ = os::OwnedFd(::socket(address_.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (::bind(fd_.get(), generic(), length_) < 0 || ::listen(fd_.get(), 64) < 0) fd_.reset();
    ::getsockname(fd_.get(), generic(), &length_);
  }

  [[nodiscard]] bool is_open() const { return fd_.is_open(); }
  // Of both internet families it is in the same place.
  [[nodiscard]] std::string port() const {
    return std::to_string(ntohs(reinterpret_cast<const sockaddr_in*>(&address_)->sin_port));
  }
  bool is_visited() {
    const os::OwnedFd visitor(::accept4(fd_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    return visitor.is_open();
  }
  // That somebody who can reach it is noticed; on a busy machine a little after he has called.
  bool notices_us() {
    const os::OwnedFd own(::socket(address_.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (::connect(own.get(), generic(), length_) != 0) return false;
    pollfd visitor{.fd = fd_.get(), .events = POLLIN, .revents = 0};
    return ::poll(&visitor, 1, static_cast<int>(scaled(10s) / 1ms)) == 1 && is_visited();
  }

 private:
  sockaddr* generic() { return reinterpret_cast<sockaddr*>(&address_); }
  os::OwnedFd fd_;
  sockaddr_storage address_{};
  socklen_t length_ = 0;
};

Listener on_loopback() {
  const sockaddr_in address{
      .sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
  return {&address, sizeof address};
}

Listener on_loopback6() {
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_addr = in6addr_loopback;
  return {&address, sizeof address};
}

Listener on_name(const std::string& name) {  // abstract when it begins with a zero
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  std::memcpy(address.sun_path, name.data(), name.size());
  return {&address, static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size())};
}

TEST_F(Attack27Network, NothingOutsideCanBeReached) {
  const std::string word = random_word();
  const std::string file = "/tmp/" + word;
  std::vector<Listener> listeners;
  listeners.push_back(on_loopback());
  listeners.push_back(on_name(std::string(1, '\0') + word));
  listeners.push_back(on_name(file));
  Listener six = on_loopback6();
  const std::string port6 = six.is_open() ? six.port() : "80";
  if (six.is_open()) listeners.push_back(std::move(six));
  for (Listener& listener : listeners)
    EXPECT_TRUE(listener.notices_us());
  const Outcome outcome =
      attack({.guest = "connect_out", .arguments = {word, file, listeners[0].port(), port6}});
  ::unlink(file.c_str());
  expect_refused(outcome);
  for (Listener& listener : listeners)
    EXPECT_FALSE(listener.is_visited()) << outcome;
  EXPECT_FALSE(outcome.output.contains("socket ")) << outcome;
  EXPECT_EQ(result_of(outcome, "abstract"), "ECONNREFUSED");
  for (const std::string where : {"host", "inet6", "metadata"})
    EXPECT_EQ(result_of(outcome, where), "EAFNOSUPPORT") << where;
}

TEST_F(Attack27Network, PythonFindsNoNetworkEither) {
  Listener listener = on_loopback();
  Listener six = on_loopback6();
  EXPECT_TRUE(listener.notices_us());
  const std::string port6 = six.is_open() ? six.port() : "80";
  const std::string program = "import socket\nfor h,p in (('127.0.0.1'," + listener.port() +
                              "),('169.254.169.254',80),('::1'," + port6 +
                              ")):\n  try: socket.create_connection((h,p),1); print('connected')\n"
                              "  except OSError as e: print('refused')";
  const Outcome outcome = attack({.arguments = {"python3", "-c", program}});
  EXPECT_EQ(outcome.output, "refused\nrefused\nrefused\n") << outcome;
  EXPECT_FALSE(listener.is_visited());
  EXPECT_FALSE(six.is_visited());
}

}  // namespace
}  // namespace assay::test
