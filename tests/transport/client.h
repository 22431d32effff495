// A client of HTTP and WebSocket that sees every byte.
#pragma once

#include <string>
#include <string_view>

#include "os/fd.h"

namespace assay::transport {

struct Response {
  int status = 0;
  std::string head{};  // the whole of it
  std::string body{};
  [[nodiscard]] std::string field(const std::string& name) const;  // "(none)" when missing
};

struct Frame {
  int opcode = -1;  // -1: the connection ended
  std::string bytes{};
};

// A plain socket. What it waits for must come within ten seconds.
class Client {
 public:
  explicit Client(unsigned port);

  void send(std::string_view bytes);
  Response receive(bool bodiless = false);
  std::string receive_until(std::string_view end);
  std::string receive_all();  // until the server closes
  bool at_end();              // the server closed, and sent nothing more
  void half_close();
  void hang_up() { socket_.reset(); }

  Response ask(const std::string& method, const std::string& path, const std::string& body = "",
               const std::string& fields = "");

  bool become_websocket(const std::string& path, const std::string& fields = "");
  void send_frame(int opcode, std::string_view bytes, bool last = true);
  Frame receive_frame();          // of any kind
  std::string receive_message();  // data; pings are answered, "(closed)" at the end

 private:
  bool fill();
  os::OwnedFd socket_;
  std::string unread_;
};

}  // namespace assay::transport
