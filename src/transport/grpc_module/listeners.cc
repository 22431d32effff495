#include "transport/grpc_module/listeners.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <charconv>
#include <memory>

namespace assay::transport::module {
namespace {

struct Place {
  std::string host{};  // empty: every address
  std::uint16_t port = 0;
};

Result<Place> to_place(const std::string& address) {
  const auto colon = address.rfind(':');
  if (colon == std::string::npos) return invalid("expected host:port");
  const auto port = std::string_view(address).substr(colon + 1);
  unsigned number = 0;
  const auto [end, fault] = std::from_chars(port.data(), port.data() + port.size(), number);
  if (fault != std::errc() || end != port.data() + port.size() || number > 65535)
    return invalid("expected a port from 0 to 65535 after the last ':'");
  std::string host = address.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return Place{.host = std::move(host), .port = static_cast<std::uint16_t>(number)};
}

using Found = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

Found find(const std::string& host) {
  const addrinfo wanted{.ai_flags = AI_PASSIVE,
                        .ai_family = AF_UNSPEC,
                        .ai_socktype = SOCK_STREAM,
                        .ai_protocol = 0,
                        .ai_addrlen = 0,
                        .ai_addr = nullptr,
                        .ai_canonname = nullptr,
                        .ai_next = nullptr};
  addrinfo* found = nullptr;
  if (::getaddrinfo(host.c_str(), "0", &wanted, &found) != 0) found = nullptr;
  return {found, &::freeaddrinfo};
}

in_port_t& port_in(sockaddr& address) {
  return address.sa_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(address).sin6_port
                                       : reinterpret_cast<sockaddr_in&>(address).sin_port;
}

bool set(int socket, int level, int option, int value) {
  return ::setsockopt(socket, level, option, &value, sizeof value) == 0;
}

// Not open: it cannot be had. No SO_REUSEPORT: a second server would share the port unseen.
os::OwnedFd listen_on(const addrinfo& at, std::uint16_t port) {
  os::OwnedFd socket(::socket(at.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.is_open()) return {};
  const int fd = socket.get();
  port_in(*at.ai_addr) = htons(port);
  const bool ready = set(fd, SOL_SOCKET, SO_REUSEADDR, 1) &&
                     set(fd, IPPROTO_TCP, TCP_NODELAY, 1) &&  // accepted sockets inherit it
                     (at.ai_family != AF_INET6 || set(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0)) &&
                     ::bind(fd, at.ai_addr, at.ai_addrlen) == 0 && ::listen(fd, SOMAXCONN) == 0;
  return ready ? std::move(socket) : os::OwnedFd();
}

std::uint16_t port_of(int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  return ntohs(port_in(reinterpret_cast<sockaddr&>(address)));
}

Listeners listen_at_all(const std::string& host, std::uint16_t port) {
  Listeners made{.port = port};
  const Found found = find(host);
  for (const addrinfo* at = found.get(); at != nullptr; at = at->ai_next) {
    if (at->ai_family != AF_INET && at->ai_family != AF_INET6) continue;
    os::OwnedFd socket = listen_on(*at, static_cast<std::uint16_t>(made.port));
    if (!socket.is_open()) continue;
    made.port = port_of(socket.get());
    made.sockets.push_back(std::move(socket));
  }
  return made;
}

}  // namespace

Result<Listeners> listen_at(const std::string& address) {
  const Place place = TRY(to_place(address));
  Listeners made = listen_at_all(place.host.empty() ? "::" : place.host, place.port);
  if (made.sockets.empty() && place.host.empty())  // a machine without IPv6
    made = listen_at_all("0.0.0.0", place.port);
  if (made.sockets.empty())
    return invalid("is it an address of this machine, and is the port free?");
  return made;
}

}  // namespace assay::transport::module
