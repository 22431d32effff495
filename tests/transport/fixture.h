// A server on a free port with a fake engine, and a client that sees every byte.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "tests/service/fake_engine.h"
#include "tests/transport/client.h"
#include "transport/metrics.h"
#include "transport/server.h"

namespace assay::transport {

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
