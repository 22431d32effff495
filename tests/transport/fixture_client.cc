#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include "tests/transport/client.h"

namespace assay::transport {

std::string Response::field(const std::string& name) const {
  const std::string key = "\r\n" + name + ": ";
  const std::size_t at = head.find(key);
  if (at == std::string::npos) return "(none)";
  return head.substr(at + key.size(), head.find("\r\n", at + 2) - at - key.size());
}

Client::Client(unsigned port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
}

void Client::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;  // the server closed: what it said first is there to be read
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

bool Client::fill() {
  pollfd line{.fd = socket_.get(), .events = POLLIN, .revents = 0};
  if (::poll(&line, 1, 10'000) <= 0) {
    ADD_FAILURE() << "nothing came for ten seconds";
    return false;
  }
  char bytes[65536];
  const ssize_t got = ::recv(socket_.get(), bytes, sizeof bytes, 0);
  if (got <= 0) return false;
  unread_.append(bytes, static_cast<std::size_t>(got));
  return true;
}

std::string Client::receive_until(std::string_view end) {
  std::size_t at = 0;
  while ((at = unread_.find(end)) == std::string::npos) {
    if (!fill()) return {};
  }
  std::string out = unread_.substr(0, at + end.size());
  unread_.erase(0, at + end.size());
  return out;
}

Response Client::receive(bool bodiless) {
  Response response;
  response.head = receive_until("\r\n\r\n");
  if (response.head.empty()) return response;
  response.status = std::stoi(response.head.substr(9, 3));
  const std::string length = response.field("Content-Length");
  if (bodiless || length == "(none)") return response;
  while (unread_.size() < std::stoul(length)) {
    if (!fill()) break;
  }
  response.body = unread_.substr(0, std::stoul(length));
  unread_.erase(0, std::stoul(length));
  return response;
}

std::string Client::receive_all() {
  while (fill()) {
  }
  return std::exchange(unread_, {});
}

bool Client::at_end() {
  return unread_.empty() && !fill() && unread_.empty();
}

void Client::half_close() {
  ::shutdown(socket_.get(), SHUT_WR);
}

Response Client::ask(const std::string& method, const std::string& path, const std::string& body,
                     const std::string& fields) {
  std::string text = method + " " + path + " HTTP/1.1\r\nHost: test\r\n" + fields;
  if (!body.empty() || method == "POST")
    text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  send(text + "\r\n" + body);
  return receive(method == "HEAD");
}

bool Client::become_websocket(const std::string& path, const std::string& fields) {
  send("GET " + path +
       " HTTP/1.1\r\nHost: test\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"
       "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n" +
       fields + "\r\n");
  const Response response = receive();
  return response.status == 101 &&
         response.field("Sec-WebSocket-Accept") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
}

void Client::send_frame(int opcode, std::string_view bytes, bool last) {
  std::string frame(1, static_cast<char>(opcode | (last ? 0x80 : 0)));
  if (bytes.size() < 126) {
    frame += static_cast<char>(0x80 | bytes.size());
  } else {
    const bool long_form = bytes.size() > 65535;
    frame += static_cast<char>(0x80 | (long_form ? 127 : 126));
    for (int shift = long_form ? 56 : 8; shift >= 0; shift -= 8)
      frame += static_cast<char>(bytes.size() >> shift);
  }
  const std::string mask = "\x11\x22\x33\x44";
  frame += mask;
  for (std::size_t at = 0; at < bytes.size(); ++at)
    frame += static_cast<char>(bytes[at] ^ mask[at % 4]);
  send(frame);
}

Frame Client::receive_frame() {
  const auto need = [&](std::size_t size) {
    while (unread_.size() < size) {
      if (!fill()) return false;
    }
    return true;
  };
  if (!need(2)) return {};
  const int opcode = unread_[0] & 0xf;
  std::size_t size = static_cast<unsigned char>(unread_[1]) & 0x7fU;
  const std::size_t more = size == 126 ? 2 : size == 127 ? 8 : 0;
  if (!need(2 + more)) return {};
  if (more > 0) size = 0;
  for (std::size_t at = 0; at < more; ++at)
    size = size << 8U | static_cast<unsigned char>(unread_[2 + at]);
  if (!need(2 + more + size)) return {};
  Frame frame{opcode, unread_.substr(2 + more, size)};
  unread_.erase(0, 2 + more + size);
  return frame;
}

std::string Client::receive_message() {
  while (true) {
    const Frame frame = receive_frame();
    if (frame.opcode == 9) send_frame(10, frame.bytes);
    if (frame.opcode == 1 || frame.opcode == 2) return frame.bytes;
    if (frame.opcode == 8 || frame.opcode < 0) return "(closed)";
  }
}

}  // namespace assay::transport
