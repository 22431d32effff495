// Counts what happens, under go-judge's names and some of our own, for Prometheus. Made before the
// service, which feeds it; asked for its text by the monitor door.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "service/service.h"
#include "transport/grpc.h"

namespace assay::transport {

struct ExchangeFacts {
  unsigned status = 0;
  std::string_view method{};
  std::string_view pattern{};  // of the route: a raw path would make a series per client's typo
  std::chrono::nanoseconds duration{};
  Bytes request{};
  Bytes response{};
};

class Metrics {
 public:
  Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;
  ~Metrics();

  void command_ended(const exec::CommandResult& result);  // a service::Observer
  void exchange_ended(const ExchangeFacts& facts);
  void file_added(Bytes size);  // for store::Store::when_added()
  void expect_rpcs();           // gRPC is served: its counters are there before the first call
  void rpc(const RpcEvent& event);

  // Something that is asked when somebody looks: boxes, cgroups. Before the server starts.
  enum class Kind { Gauge, Counter };
  void watch(Kind kind, std::string name, std::string help, std::function<double()> read,
             std::map<std::string, std::string> labels = {});
  void watch_service(service::Service& service);  // queue, places, store; borrowed until forgotten
  void forget_service();

  // Text of others, behind ours. Before the server starts; null: no more.
  void append(std::function<std::string()> more);

  std::string text();  // in Prometheus' format

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace assay::transport
