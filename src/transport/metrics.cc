#include "transport/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <mutex>
#include <optional>

#include "transport/process_metrics.h"

namespace assay::transport {
namespace {

using prometheus::Histogram;
using prometheus::MetricFamily;
using prometheus::MetricType;
using Buckets = Histogram::BucketBoundaries;

// `count` bounds from `first`, each `factor` times the one before.
Buckets exponential(double first, double factor, int count) {
  Buckets bounds;
  for (double bound = first; count > 0; --count, bound *= factor)
    bounds.push_back(bound);
  return bounds;
}

const Buckets kTimeBuckets = {0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6,
                              0.8,   1,     1.5,   2,    5,     10,   20,  50,  100};
const Buckets kMemoryBuckets = exponential(4096, 2, 21);  // 4 KiB to 4 GiB
const Buckets kDurationBuckets = {.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10};
const Buckets kSizeBuckets = exponential(64, 4, 13);

MetricFamily single(MetricType type, const std::string& name, const std::string& help,
                    double value) {
  MetricFamily family{.name = name, .help = help, .type = type, .metric = {}};
  prometheus::ClientMetric metric;
  if (type == MetricType::Counter)
    metric.counter.value = value;
  else
    metric.gauge.value = value;
  family.metric.push_back(std::move(metric));
  return family;
}

double number(std::uint64_t value) {
  return static_cast<double>(value);
}

void add_service(std::vector<MetricFamily>& out, service::Service& service) {
  const auto add = [&](MetricType type, const char* name, const char* help, double value) {
    out.push_back(single(type, name, help, value));
  };
  constexpr auto kGauge = MetricType::Gauge;
  constexpr auto kCounter = MetricType::Counter;
  const service::Snapshot now = service.snapshot();
  const store::Totals files = service.store().totals();
  add(kCounter, "go_judge_exec_error_count", "Requests that ended with an error",
      number(now.failed));
  add(kGauge, "go_judge_worker_queue_count", "Requests that wait", number(now.queued));
  add(kGauge, "go_judge_worker_running_count", "Requests that run", number(now.running));
  add(kGauge, "go_judge_file_current_bytes_count", "Files in the store", number(files.files));
  add(kGauge, "go_judge_file_current_bytes_sum", "Bytes in the store", number(files.bytes.count));
  add(kGauge, "assay_workers", "Requests that can run at a time", number(now.workers));
  add(kGauge, "assay_memory_promised_bytes", "Memory limits of all running requests together",
      number(now.memory_promised.count));
  add(kGauge, "assay_draining", "1 while the service takes nothing more", now.draining ? 1 : 0);
  add(kCounter, "assay_requests_accepted_total", "Requests taken", number(now.accepted));
  add(kCounter, "assay_requests_finished_total", "Requests run to their end", number(now.finished));
  add(kCounter, "assay_requests_refused_total", "Requests not taken", number(now.refused));
  add(kCounter, "assay_requests_cancelled_total", "Requests cancelled", number(now.cancelled));
}

void add_process(std::vector<MetricFamily>& out) {
  const ProcessFacts now = read_process_facts();
  const auto gauge = [&](const char* name, const char* help, double value) {
    out.push_back(single(MetricType::Gauge, name, help, value));
  };
  out.push_back(single(MetricType::Counter, "process_cpu_seconds_total",
                       "User and system cpu time of this process", now.cpu_seconds));
  gauge("process_resident_memory_bytes", "Resident memory", now.resident_bytes);
  gauge("process_virtual_memory_bytes", "Virtual memory", now.virtual_bytes);
  gauge("process_open_fds", "Open descriptors", now.open_fds);
  gauge("process_max_fds", "Descriptors that may be open", now.max_fds);
  gauge("process_threads", "Threads", now.threads);
  gauge("process_start_time_seconds", "Start, in seconds since the epoch", now.start_time_seconds);
}

}  // namespace

struct Metrics::Inside {
  struct Watched {
    MetricType type;
    std::string name, help;
    std::function<double()> read;
    std::map<std::string, std::string> labels;
  };

  prometheus::Registry registry;
  prometheus::Family<Histogram>& histograms(const char* name, const char* help) {
    return prometheus::BuildHistogram().Name(name).Help(help).Register(registry);
  }
  prometheus::Family<Histogram>& time =
      histograms("go_judge_exec_time_seconds", "Cpu time of commands");
  prometheus::Family<Histogram>& memory =
      histograms("go_judge_exec_memory_bytes", "Memory of commands");
  prometheus::Family<Histogram>& wall =
      histograms("assay_exec_wall_seconds", "Wall time of commands");
  Histogram& file_size =
      histograms("go_judge_file_size_bytes", "Size of added files").Add({}, kMemoryBuckets);
  prometheus::Family<prometheus::Counter>& exchanges =
      prometheus::BuildCounter()
          .Name("gin_requests_total")
          .Help("HTTP requests by status, method and route")
          .Register(registry);
  prometheus::Family<prometheus::Counter>& counters(const char* name, const char* help) {
    return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
  }
  // Without gRPC there is none of it.
  struct Calls {
    prometheus::Family<prometheus::Counter>&started, &handled, &received, &sent;
  };
  std::optional<Calls> calls;

  prometheus::Family<Histogram>& duration =
      histograms("gin_request_duration_seconds", "Time to the end of the answer");
  prometheus::Family<Histogram>& request_size =
      histograms("gin_request_size_bytes", "Size of requests");
  prometheus::Family<Histogram>& response_size =
      histograms("gin_response_size_bytes", "Size of answers");

  std::mutex lock;  // of what follows
  std::vector<Watched> watched;
  service::Service* service = nullptr;
  std::function<std::string()> more;

  std::vector<MetricFamily> collect_watched() {
    std::vector<MetricFamily> out;
    const std::lock_guard guard(lock);
    if (service != nullptr) add_service(out, *service);
    for (const Watched& each : watched) {
      MetricFamily one = single(each.type, each.name, each.help, each.read());
      for (const auto& [name, value] : each.labels)
        one.metric.front().label.push_back({name, value});
      // Families are listed once: what has the same name joins the one before.
      if (!out.empty() && out.back().name == one.name)
        out.back().metric.push_back(std::move(one.metric.front()));
      else
        out.push_back(std::move(one));
    }
    add_process(out);
    return out;
  }
};

Metrics::Metrics() : inside_(std::make_unique<Inside>()) {}
Metrics::~Metrics() = default;

void Metrics::command_ended(const exec::CommandResult& result) {
  const prometheus::Labels labels = {{"status", std::string(exec::name_of(result.status))}};
  const auto seconds = [](Nanoseconds time) {
    return static_cast<double>(time.count()) / 1e9;
  };
  inside_->time.Add(labels, kTimeBuckets).Observe(seconds(result.time));
  inside_->wall.Add(labels, kTimeBuckets).Observe(seconds(result.run_time));
  inside_->memory.Add(labels, kMemoryBuckets).Observe(number(result.memory.count));
}

void Metrics::expect_rpcs() {
  Inside& in = *inside_;
  in.calls.emplace(in.counters("grpc_server_started_total", "Calls that began"),
                   in.counters("grpc_server_handled_total", "Calls that ended, by code"),
                   in.counters("grpc_server_msg_received_total", "Messages from clients"),
                   in.counters("grpc_server_msg_sent_total", "Messages to clients"));
  for (const char* method : {"Exec", "ExecStream", "FileList", "FileGet", "FileAdd", "FileDelete"})
    in.calls->started.Add(
        {{"grpc_service", "pb.Executor"},
         {"grpc_method", method},
         {"grpc_type", method == std::string_view("ExecStream") ? "bidi_stream" : "unary"}});
}

void Metrics::rpc(const RpcEvent& event) {
  Inside& in = *inside_;
  if (!in.calls) return;
  prometheus::Labels labels = {
      {"grpc_service", event.service}, {"grpc_method", event.method}, {"grpc_type", event.type}};
  switch (event.kind) {
    case RpcEvent::Kind::Started:
      return in.calls->started.Add(labels).Increment();
    case RpcEvent::Kind::Received:
      return in.calls->received.Add(labels).Increment();
    case RpcEvent::Kind::Sent:
      return in.calls->sent.Add(labels).Increment();
    case RpcEvent::Kind::Handled:
      labels["grpc_code"] = event.code;
      return in.calls->handled.Add(labels).Increment();
  }
}

void Metrics::exchange_ended(const ExchangeFacts& facts) {
  const prometheus::Labels labels = {{"code", std::to_string(facts.status)},
                                     {"method", std::string(facts.method)},
                                     {"url", std::string(facts.pattern)}};
  inside_->exchanges.Add(labels).Increment();
  inside_->duration.Add(labels, kDurationBuckets)
      .Observe(static_cast<double>(facts.duration.count()) / 1e9);
  inside_->request_size.Add(labels, kSizeBuckets).Observe(number(facts.request.count));
  inside_->response_size.Add(labels, kSizeBuckets).Observe(number(facts.response.count));
}

void Metrics::file_added(Bytes size) {
  inside_->file_size.Observe(number(size.count));
}

void Metrics::watch(Kind kind, std::string name, std::string help, std::function<double()> read,
                    std::map<std::string, std::string> labels) {
  const std::lock_guard guard(inside_->lock);
  inside_->watched.push_back({kind == Kind::Gauge ? MetricType::Gauge : MetricType::Counter,
                              std::move(name), std::move(help), std::move(read),
                              std::move(labels)});
}

void Metrics::watch_service(service::Service& service) {
  const std::lock_guard guard(inside_->lock);
  inside_->service = &service;
}

void Metrics::forget_service() {
  const std::lock_guard guard(inside_->lock);
  inside_->service = nullptr;
}

void Metrics::append(std::function<std::string()> more) {
  const std::lock_guard guard(inside_->lock);
  inside_->more = std::move(more);
}

std::string Metrics::text() {
  std::vector<MetricFamily> all = inside_->registry.Collect();
  for (MetricFamily& family : inside_->collect_watched())
    all.push_back(std::move(family));
  const std::lock_guard guard(inside_->lock);
  return prometheus::TextSerializer().Serialize(all) + (inside_->more ? inside_->more() : "");
}

}  // namespace assay::transport
