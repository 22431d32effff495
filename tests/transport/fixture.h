// A server on a free port with a fake engine, and a client that sees every byte.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "tests/service/fake_engine.h"
#include "transport/metrics.h"
#include "transport/server.h"

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
  bool at_end();  // the server closed, and sent nothing more
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

class Served : public testing::Test {
 protected:
  ~Served() override;
  void start(Options options = {}, service::Options desk = {.parallelism = 2});
  void stop();
  Client connect() { return Client(server_->port()); }
  Client connect_monitor() { return Client(monitor_port_); }
  std::string add_file(const std::string& name, const std::string& content);

  // Called when the service is there and the server is not.
  virtual void before_server(Options&) {}
  virtual void after_server() {}

  service::FakeEngine* engine_ = nullptr;
  std::string directory_;
  std::optional<store::Store> store_;
  std::shared_ptr<Metrics> metrics_ = std::make_shared<Metrics>();
  std::unique_ptr<service::Service> service_;
  std::unique_ptr<Server> server_;
  unsigned monitor_port_ = 0;
};

std::string form_of(const std::string& part, const std::string& file_name,
                    const std::string& content);  // with the boundary "XX"
inline constexpr const char* kFormField = "Content-Type: multipart/form-data; boundary=XX\r\n";

std::string post_run(const std::string& args);  // a whole request
std::string run_of(const std::string& args);    // {"cmd":[{"args":[…]}]}

}  // namespace assay::transport
