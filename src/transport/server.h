// The doors of the daemon: HTTP, WebSocket and streams on one port, metrics on another.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "os/fd.h"
#include "service/service.h"

namespace assay::service {
class Processes;  // processes.h
}

namespace assay::transport {

struct Limits {
  Bytes body = 1_GiB;  // of a request; more is 413
  Bytes header = 64_KiB;
  std::chrono::seconds idle{120};          // between requests, and for the whole header
  std::chrono::seconds body_progress{60};  // without a byte of the body
  std::chrono::seconds form{120};          // for the whole of a body whose token is inside
  std::chrono::seconds write{60};          // without the client taking a byte
  unsigned connections = 4096;
  Bytes buffered = 2_GiB;                  // bodies of all connections together; beyond it 503
  Bytes socket_message = 64_MiB;           // of one WebSocket message
  std::chrono::milliseconds ping{50'000};  // between two pings on a WebSocket
  std::chrono::milliseconds pong{60'000};  // without a sign of life from its client
  std::chrono::milliseconds socket_write{10'000};  // of one WebSocket message
  std::chrono::milliseconds last_answers{3'000};   // when we end: for answers on their way
};

class Metrics;        // metrics.h
struct JudgingDoors;  // judging_doors.h
struct NojDoors;      // noj_doors.h

struct Options {
  std::vector<os::OwnedFd>
      listeners{};  // bound and listening already: the daemon has no right to bind any more
  std::vector<os::OwnedFd> monitor_listeners{};  // /metrics, /healthz; empty: none
  std::string auth_token{};                      // empty: everybody
  std::shared_ptr<Metrics> metrics{};            // null: none are kept, and /metrics is 404
  std::string version_json{};                    // bodies of /version and /config, made once
  std::string config_json{};
  std::shared_ptr<JudgingDoors> judging{};  // null: only programs are run here
  service::Processes* processes = nullptr;  // null: nobody can hold one; borrowed
  std::shared_ptr<NojDoors> noj{};          // null: no back end of Normal-OJ comes here
  Limits limits{};
  std::function<void(const std::string& json_line)> access_log{};  // null: none
  unsigned threads = 0;  // 0: twice as many as requests may run at a time, and two more
};

// Serves until stop() or a listener fails. The service is borrowed.
class Server {
 public:
  static Result<std::unique_ptr<Server>> start(service::Service& service, Options options);
  virtual ~Server() = default;        // closes everything, waits
  virtual void stop_accepting() = 0;  // drain: open requests are answered, no new ones taken
  virtual unsigned port() const = 0;  // of the first listener
};

}  // namespace assay::transport
