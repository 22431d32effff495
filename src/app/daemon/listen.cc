#include "app/daemon/listen.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <memory>

#include "app/daemon/config/values.h"

namespace assay::daemon {
namespace {

constexpr int kBacklog = 1024;

struct FreeAddresses {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

Result<Addresses> look_up(const std::string& host, const std::string& port) {
  addrinfo wanted{};
  wanted.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int code = ::getaddrinfo(host.c_str(), port.c_str(), &wanted, &found);
  if (code != 0) return invalid(fmt::format("no address for '{}': {}", host, ::gai_strerror(code)));
  return Addresses(found);
}

Result<os::OwnedFd> listen_at(const addrinfo& address, bool only_its_family) {
  os::OwnedFd socket(::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.is_open()) return system_error("make a socket");
  const int yes = 1;
  const int only = only_its_family ? 1 : 0;
  (void)::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (address.ai_family == AF_INET6)
    (void)::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &only, sizeof only);
  if (::bind(socket.get(), address.ai_addr, address.ai_addrlen) < 0) return system_error("bind");
  if (::listen(socket.get(), kBacklog) < 0) return system_error("listen");
  return socket;
}

Result<os::OwnedFd> listen_at(const std::string& host, const std::string& port,
                              bool only_its_family) {
  const Addresses found = TRY(look_up(host, port));
  return listen_at(*found, only_its_family);
}

// A machine without IPv6 (or without IPv4) is no error, as long as there is one of them.
bool is_no_such_family(const Error& error) {
  return error.code == EAFNOSUPPORT || error.code == EADDRNOTAVAIL;
}

std::string port_of(const os::OwnedFd& listener) {
  const std::string text = address_of(listener);
  return text.substr(text.rfind(':') + 1);
}

Result<std::vector<os::OwnedFd>> listen_on_loopback(std::string port) {
  std::vector<os::OwnedFd> listeners;
  auto four = listen_at("127.0.0.1", port, true);
  if (!four && !is_no_such_family(four.error())) return std::unexpected(four.error());
  if (four) {
    port = port_of(*four);
    listeners.push_back(std::move(*four));
  }
  auto six = listen_at("::1", port, true);
  if (!six && (listeners.empty() || !is_no_such_family(six.error())))
    return std::unexpected(six.error());
  if (six) listeners.push_back(std::move(*six));
  return listeners;
}

Result<std::vector<os::OwnedFd>> listen_everywhere(const std::string& port) {
  std::vector<os::OwnedFd> listeners;
  auto both = listen_at("::", port, false);
  if (!both && is_no_such_family(both.error())) both = listen_at("0.0.0.0", port, true);
  listeners.push_back(TRY(std::move(both)));
  return listeners;
}

Result<std::vector<os::OwnedFd>> listen_on_host(const Address& address) {
  std::vector<os::OwnedFd> listeners;
  const Addresses found = TRY(look_up(address.host, address.port));
  for (const addrinfo* one = found.get(); one != nullptr; one = one->ai_next)
    listeners.push_back(TRY(listen_at(*one, true)));
  return listeners;
}

}  // namespace

Result<std::vector<os::OwnedFd>> listen_on(const std::string& text) {
  const Address address = TRY(parse_address(text));
  auto listeners = address.host == "localhost" ? listen_on_loopback(address.port)
                   : address.host.empty()      ? listen_everywhere(address.port)
                                               : listen_on_host(address);
  if (listeners) return listeners;
  Error error = std::move(listeners).error();
  error.context = fmt::format("cannot listen on '{}': {}", text, error.context);
  return std::unexpected(std::move(error));
}

std::string address_of(const os::OwnedFd& listener) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> port{};
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (::getsockname(listener.get(), generic, &size) < 0 ||
      ::getnameinfo(generic, size, host.data(), host.size(), port.data(), port.size(),
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return "?:0";
  const bool six = address.ss_family == AF_INET6;
  return fmt::format("{}{}{}:{}", six ? "[" : "", host.data(), six ? "]" : "", port.data());
}

}  // namespace assay::daemon
