#include "tests/grpc/fixture_raw.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <stdexcept>

namespace assay::transport::module {
namespace {

enum Kind : char { kData, kHeaders, kReset = 3, kSettings = 4, kPing = 6, kWindow = 8 };
constexpr char kEndStream = 1, kAck = 1, kEndHeaders = 4;
constexpr std::size_t kLargestFrame = 16384;
constexpr std::size_t kHead = 9;

std::string number(std::uint32_t value, int bytes = 4) {
  std::string out;
  for (int i = bytes - 1; i >= 0; --i)
    out += static_cast<char>(value >> (8 * i));
  return out;
}

std::uint32_t to_number(std::string_view bytes) {
  std::uint32_t value = 0;
  for (const char byte : bytes)
    value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

std::string frame(char kind, char flags, std::uint32_t stream, const std::string& payload) {
  return number(static_cast<std::uint32_t>(payload.size()), 3) + kind + flags + number(stream) +
         payload;
}

std::string header(const std::string& name, const std::string& value) {  // that no table keeps
  return std::string(1, '\0') + static_cast<char>(name.size()) + name +
         static_cast<char>(value.size()) + value;
}

std::string headers_of_call(const std::string& path) {
  return header(":method", "POST") + header(":scheme", "http") + header(":path", path) +
         header(":authority", "localhost") + header("te", "trailers") +
         header("content-type", "application/grpc");
}

int status_in(const std::string& block) {
  const std::string name = "grpc-status";
  const auto at = block.find(name);
  if (at == std::string::npos) return -1;
  const auto size = static_cast<std::size_t>(block.at(at + name.size()));
  return std::stoi(block.substr(at + name.size() + 1, size));
}

}  // namespace

os::OwnedFd connect_to(int port) {
  os::OwnedFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const timeval patience{.tv_sec = 30, .tv_usec = 0};  // then the test fails instead of waiting
  ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    throw std::runtime_error("connect to the server of a test");
  return socket;
}

RawClient::RawClient(int port, Manners manners) : socket_(connect_to(port)), manners_(manners) {
  const std::string no_table = number(1, 2) + number(0), no_window = number(4, 2) + number(0);
  send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(kSettings, 0, 0, no_table + no_window));
}

void RawClient::call(const std::string& path, const google::protobuf::MessageLite& message) {
  const std::uint32_t stream = last_stream_ == 0 ? 1 : last_stream_ + 2;
  last_stream_ = stream;
  if (!is_let_in()) throw std::runtime_error("the server does not let a test in");
  rooms_[stream] = first_room_;
  send(frame(kHeaders, kEndHeaders, stream, headers_of_call(path)));
  const std::string bytes = message.SerializeAsString();
  send_data(stream,
            std::string(1, '\0') + number(static_cast<std::uint32_t>(bytes.size())) + bytes);
}

void RawClient::send_data(std::uint32_t stream, const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const auto room = std::min(room_, rooms_[stream]);
    if (room <= 0) {
      if (!listen() || ended_.contains(stream)) return;
      continue;
    }
    const auto size = std::min({kLargestFrame, bytes.size() - at, static_cast<std::size_t>(room)});
    const bool last = at + size == bytes.size();
    send(frame(kData, last ? kEndStream : char{0}, stream, bytes.substr(at, size)));
    at += size;
    room_ -= static_cast<std::int64_t>(size);
    rooms_[stream] -= static_cast<std::int64_t>(size);
  }
}

bool RawClient::is_let_in() {
  while (!greeted_ && listen()) {
  }
  return greeted_;
}

bool RawClient::is_closed() {
  while (listen()) {
  }
  return true;
}

std::map<int, int> RawClient::statuses(std::size_t count) {
  while (ended_.size() < count && listen()) {
  }
  std::map<int, int> counted;
  for (const auto& [stream, status] : ended_)
    ++counted[status];
  return counted;
}

void RawClient::send(const std::string& bytes) {
  if (manners_ == Manners::SaysNothing) return;
  for (std::size_t at = 0; at < bytes.size();) {
    const auto put = ::send(socket_.get(), bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
    if (put < 0) return;  // listen() says that it is closed
    at += static_cast<std::size_t>(put);
  }
}

bool RawClient::listen() {
  const auto exactly = [&](std::size_t size) {
    std::string bytes(size, '\0');
    const auto got = size == 0 ? 0 : ::recv(socket_.get(), bytes.data(), size, MSG_WAITALL);
    if (got < 0 && errno == EAGAIN) throw std::runtime_error("the server says nothing to a test");
    bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return bytes;
  };
  const std::string head = exactly(kHead);
  if (head.size() < kHead) return false;
  const std::size_t size = to_number(std::string_view(head).substr(0, 3));
  const std::string payload = exactly(size);
  if (payload.size() < size) return false;
  hear(head[3], head[4], to_number(std::string_view(head).substr(5)), payload);
  return true;
}

void RawClient::hear(char kind, char flags, std::uint32_t stream, const std::string& payload) {
  if (kind == kSettings && (flags & kAck) == 0) {
    greeted_ = true;
    for (std::size_t at = 0; at + 6 <= payload.size(); at += 6)
      if (to_number(std::string_view(payload).substr(at, 2)) == 4)
        first_room_ = to_number(std::string_view(payload).substr(at + 2, 4));
    send(frame(kSettings, kAck, 0, ""));
  }
  if (kind == kPing && (flags & kAck) == 0) send(frame(kPing, kAck, 0, payload));
  if (kind == kWindow) (stream == 0 ? room_ : rooms_[stream]) += to_number(payload);
  if (kind == kHeaders && (flags & kEndStream) != 0) ended_.emplace(stream, status_in(payload));
  if (kind == kReset) ended_.emplace(stream, -1);
}

}  // namespace assay::transport::module
