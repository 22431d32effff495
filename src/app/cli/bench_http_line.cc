#include "app/cli/bench_http_line.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/units.h"
#include "os/file.h"

namespace assay::cli {
namespace {

// The value of a header, by a name in lower case; empty when there is none.
std::string_view header_of(std::string_view head, std::string_view name) {
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find("\r\n"));
    const std::size_t colon = line.find(':');
    const auto same = [](char a, char b) {
      return (a | 0x20) == (b | 0x20);
    };
    if (colon != std::string_view::npos && std::ranges::equal(line.substr(0, colon), name, same)) {
      std::string_view value = line.substr(colon + 1);
      value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
      return value;
    }
    head.remove_prefix(std::min(line.size() + 2, head.size()));
  }
  return {};
}

}  // namespace

// Names are not looked up: a static binary could not, and a bench belongs on this machine.
Result<Address> parse_url(const std::string& url) {
  std::string_view rest = url;
  if (rest.starts_with("http://")) rest.remove_prefix(7);
  rest = rest.substr(0, rest.find('/'));
  const std::size_t colon = rest.rfind(':');
  if (colon == std::string_view::npos) return invalid("'" + url + "' is not http://HOST:PORT");
  const auto port = parse_count(rest.substr(colon + 1), 1, 65535);
  if (!port) return invalid("'" + url + "' has no port");
  std::string host(rest.substr(0, colon));
  if (host == "localhost") host = "127.0.0.1";
  in_addr parsed{};
  if (::inet_pton(AF_INET, host.c_str(), &parsed) != 1)
    return invalid("'" + url + "': give the host as an address, such as 127.0.0.1");
  return Address{host, static_cast<unsigned>(*port)};
}

Result<HttpLine> HttpLine::connect(const Address& address) {
  os::OwnedFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket.is_open()) return system_error("make a socket");
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(address.port));
  ::inet_pton(AF_INET, address.host.c_str(), &to.sin_addr);
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to) < 0)
    return system_error("connect to " + address.host + ":" + std::to_string(address.port));
  const int on = 1;
  (void)::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return HttpLine(std::move(socket));
}

Status HttpLine::read_more() {
  std::array<char, 65536> chunk;
  for (;;) {
    const ssize_t got = ::read(socket_.get(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error("read an answer");
    if (got == 0) return system_error(ECONNRESET, "read an answer");
    buffer_.append(chunk.data(), static_cast<std::size_t>(got));
    return {};
  }
}

Result<HttpLine::Answer> HttpLine::exchange(std::string_view request) {
  buffer_.clear();
  TRY_STATUS(os::write_all(socket_.get(), request));
  std::size_t end = std::string::npos;
  while ((end = buffer_.find("\r\n\r\n")) == std::string::npos)
    TRY_STATUS(read_more());
  const std::string head = buffer_.substr(0, end + 2);
  Answer answer;
  if (head.size() > 12) std::from_chars(head.data() + 9, head.data() + 12, answer.status);
  std::size_t length = 0;
  const std::string_view value = header_of(head, "content-length");
  std::from_chars(value.data(), value.data() + value.size(), length);
  while (buffer_.size() < end + 4 + length)
    TRY_STATUS(read_more());
  answer.body = buffer_.substr(end + 4, length);
  return answer;
}

std::string http_request(std::string_view method, std::string_view path, std::string_view body) {
  std::string text = std::string(method) + " " + std::string(path) + " HTTP/1.1\r\nHost: bench\r\n";
  if (!body.empty())
    text += "Content-Type: application/json;charset=UTF-8\r\nContent-Length: " +
            std::to_string(body.size()) + "\r\n";
  return text + "\r\n" + std::string(body);
}

}  // namespace assay::cli
