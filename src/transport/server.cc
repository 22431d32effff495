#include "transport/server.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <csignal>
#include <future>
#include <thread>

#include "transport/asio.h"
#include "transport/connection.h"
#include "transport/context.h"

namespace assay::transport {
namespace {

namespace asio = boost::asio;
using asio::posix::stream_descriptor;
using boost::system::error_code;

constexpr auto kSweepEvery = std::chrono::milliseconds(250);
constexpr unsigned kMostAtOnce = 64;  // who come in
constexpr std::string_view kTooMany =
    "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n"
    "Connection: close\r\n\r\n";

// A door that somebody else has opened for us: accepts until it is closed.
class Entrance {
 public:
  Entrance(asio::io_context& io, Door door, Context& context)
      : strand_(asio::make_strand(io)),
        listener_(strand_),
        pause_(strand_),
        door_(door),
        context_(context) {}

  Status open(os::OwnedFd listener) {
    error_code problem;
    listener_.assign(listener.get(), problem);
    if (!problem) (void)listener.release();
    if (!problem) listener_.non_blocking(true, problem);
    if (problem) return system_error(problem.value(), "wait at a listening socket");
    return {};
  }

  void wait() {
    listener_.async_wait(stream_descriptor::wait_read, [this](error_code problem) {
      if (!problem) accept_some();
    });
  }
  // Not shutdown(): whoever gave us the listener may give it to somebody else next.
  std::future<void> close() {
    std::promise<void> closed;
    std::future<void> when = closed.get_future();
    asio::post(strand_, [this, closed = std::move(closed)]() mutable {
      error_code ignored;
      if (listener_.is_open()) listener_.close(ignored);
      pause_.cancel();
      closed.set_value();
    });
    return when;
  }
  [[nodiscard]] Door door() const { return door_; }

 private:
  // Some at a time: those who came first are to be served meanwhile.
  void accept_some() {
    for (unsigned count = 0; listener_.is_open(); ++count) {
      if (count == kMostAtOnce) return asio::post(strand_, [this] { accept_some(); });
      os::OwnedFd client(
          ::accept4(listener_.native_handle(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (client.is_open()) {
        welcome(std::move(client));
        continue;
      }
      if (errno == EAGAIN) return wait();
      if (errno != EINTR && errno != ECONNABORTED) return wait_a_little();
    }
  }

  // No descriptors left: the kernel keeps the others in line until some are closed.
  void wait_a_little() {
    pause_.expires_after(std::chrono::milliseconds(50));
    pause_.async_wait([this](error_code problem) {
      if (!problem && listener_.is_open()) accept_some();
    });
  }

  void welcome(os::OwnedFd client) {
    const int yes = 1;  // fails on a Unix socket, which needs it not
    (void)::setsockopt(client.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (context_.registry.count() >= context_.options.limits.connections) {
      (void)!::send(client.get(), kTooMany.data(), kTooMany.size(), MSG_NOSIGNAL);
      return;
    }
    // Not in this handler: a connection may run a whole request before it returns.
    auto visit = std::make_unique<Visit>(context_.registry, std::move(client));
    asio::post(context_.io, [this, visit = std::move(visit)]() mutable {
      serve_connection(context_, std::move(visit), door_);
    });
  }

  asio::strand<asio::io_context::executor_type> strand_;
  stream_descriptor listener_;
  asio::steady_timer pause_;
  Door door_;
  Context& context_;
};

unsigned port_of(int listener) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  if (address.ss_family == AF_INET)
    return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
  if (address.ss_family == AF_INET6)
    return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  return 0;
}

class AsioServer final : public Server {
 public:
  AsioServer(service::Service& service, Options options)
      : io_(static_cast<int>(threads_for(service, options))),
        context_{.io = io_, .service = service, .options = std::move(options)},
        sweeper_(io_) {}

  ~AsioServer() override {
    if (!threads_.empty()) {
      for (auto& entrance : entrances_)
        entrance->close().wait();  // nobody comes in any more
      context_.registry.part(context_.options.limits.last_answers);
    }
    io_.stop();
    for (std::thread& thread : threads_)
      thread.join();
    if (context_.options.metrics != nullptr) context_.options.metrics->forget_service();
  }

  Status open() {
    // Writing to a pipe or a socket whose reader has gone must not end the daemon.
    struct sigaction ignore{};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &ignore, nullptr);
    Options& options = context_.options;
    if (options.listeners.empty()) return invalid("no listener");
    port_ = port_of(options.listeners.front().get());
    if (options.metrics != nullptr) options.metrics->watch_service(context_.service);
    for (os::OwnedFd& listener : options.listeners)
      TRY_STATUS(add(std::move(listener), Door::Service));
    for (os::OwnedFd& listener : options.monitor_listeners)
      TRY_STATUS(add(std::move(listener), Door::Monitor));
    sweep();
    const unsigned count = threads_for(context_.service, options);
    for (unsigned number = 0; number < count; ++number)
      threads_.emplace_back([this] {
        Seats::let_this_thread_sit();
        io_.run();
      });
    return {};
  }

  void stop_accepting() override {
    for (auto& entrance : entrances_) {
      if (entrance->door() == Door::Service) entrance->close();
    }
    context_.registry.drain();
  }

  [[nodiscard]] unsigned port() const override { return port_; }

 private:
  // As many as may be inside a run, as many as may sit at a connection, and two that are always
  // free to read and write.
  static unsigned threads_for(const service::Service& service, const Options& options) {
    if (options.threads != 0) return options.threads;
    return 2 * static_cast<unsigned>(service.snapshot().workers) + 2;
  }

  Status add(os::OwnedFd listener, Door door) {
    auto entrance = std::make_unique<Entrance>(io_, door, context_);
    TRY_STATUS(entrance->open(std::move(listener)));
    entrances_.push_back(std::move(entrance));
    entrances_.back()->wait();
    return {};
  }

  void sweep() {
    sweeper_.expires_after(kSweepEvery);
    sweeper_.async_wait([this](error_code problem) {
      if (problem) return;
      sweep();  // before the rest, which may answer somebody and go on with what he asks next
      context_.registry.sweep();
      context_.service.dismiss_the_gone();
    });
  }

  asio::io_context io_;
  asio::executor_work_guard<asio::io_context::executor_type> work_ = asio::make_work_guard(io_);
  Context context_;
  asio::steady_timer sweeper_;
  std::vector<std::unique_ptr<Entrance>> entrances_;
  std::vector<std::thread> threads_;
  unsigned port_ = 0;
};

}  // namespace

Result<std::unique_ptr<Server>> Server::start(service::Service& service, Options options) {
  try {
    auto server = std::make_unique<AsioServer>(service, std::move(options));
    TRY_STATUS(server->open());
    return server;
  } catch (const std::exception& problem) {
    return std::unexpected(
        Error{Fault::System, 0, std::string("start the server: ") + problem.what()});
  }
}

}  // namespace assay::transport
