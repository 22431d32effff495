#include "tests/transport/fixture.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>

#include <filesystem>

namespace assay::transport {
namespace {

os::OwnedFd listen_somewhere(unsigned& port) {
  os::OwnedFd listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  EXPECT_EQ(::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
  EXPECT_EQ(::listen(listener.get(), 128), 0);
  EXPECT_EQ(::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
  port = ntohs(address.sin_port);
  return listener;
}

}  // namespace

void Served::start(Options options, service::Options desk) {
  char name[] = "/tmp/assay-transport-XXXXXX";
  directory_ = ::mkdtemp(name);
  auto opened = store::Store::open({.directory = directory_, .temporary = true});
  ASSERT_TRUE(opened) << describe(opened.error());
  store_.emplace(std::move(*opened));
  store_->when_added([metrics = metrics_](Bytes size) { metrics->file_added(size); });
  auto engine = std::make_unique<service::FakeEngine>();
  engine_ = engine.get();
  service_ = std::make_unique<service::Service>(
      std::move(engine), *store_, desk,
      [metrics = metrics_](const exec::CommandResult& result) { metrics->command_ended(result); });
  unsigned port = 0;
  options.listeners.push_back(listen_somewhere(port));
  options.monitor_listeners.push_back(listen_somewhere(monitor_port_));
  options.metrics = metrics_;
  if (options.version_json.empty()) options.version_json = R"({"buildVersion":"v1.12.2"})";
  if (options.config_json.empty()) options.config_json = R"({"fileStorePath":"/x"})";
  before_server(options);
  auto server = Server::start(*service_, std::move(options));
  ASSERT_TRUE(server) << describe(server.error());
  server_ = *std::move(server);
  ASSERT_EQ(server_->port(), port);
}

void Served::stop() {
  server_.reset();
  after_server();
  service_.reset();
  store_.reset();
}

Served::~Served() {
  stop();
  if (!directory_.empty()) std::filesystem::remove_all(directory_);
}

std::string Served::add_file(const std::string& name, const std::string& content) {
  Client client = connect();
  const Response response = client.ask("POST", "/file", form_of("file", name, content), kFormField);
  EXPECT_EQ(response.status, 200);
  return response.body.size() > 2 ? response.body.substr(1, response.body.size() - 2) : "";
}

std::string form_of(const std::string& part, const std::string& file_name,
                    const std::string& content) {
  return "--XX\r\nContent-Disposition: form-data; name=\"" + part + "\"; filename=\"" + file_name +
         "\"\r\nContent-Type: application/octet-stream\r\n\r\n" + content + "\r\n--XX--\r\n";
}

std::string post_run(const std::string& args) {
  const std::string body = run_of(args);
  return "POST /run HTTP/1.1\r\nHost: test\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + body;
}

std::string run_of(const std::string& args) {
  return R"({"cmd":[{"args":[)" + args + "]}]}";
}

}  // namespace assay::transport
