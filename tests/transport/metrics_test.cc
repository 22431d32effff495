#include "transport/metrics.h"

#include "tests/transport/fixture.h"

namespace assay::transport {
namespace {

class Monitor : public Served {};

TEST_F(Monitor, TellsGoJudgesNamesAndOurs) {
  start();
  Client client = connect();
  client.ask("POST", "/run", run_of(R"("echo","x")"));
  client.ask("GET", "/file/SECRETID");
  add_file("x", "12345");
  // An exchange is counted with the time it took to send its answer, so after that.
  const std::string last = "url=\"/file/:fid\"} 1";
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  Response response = connect_monitor().ask("GET", "/metrics");
  while (!response.body.contains(last) && std::chrono::steady_clock::now() < until)
    response = connect_monitor().ask("GET", "/metrics");
  EXPECT_EQ(response.status, 200);
  EXPECT_TRUE(response.field("Content-Type").starts_with("text/plain; version=0.0.4"));
  for (const char* line :
       {"go_judge_exec_error_count 0", "go_judge_exec_time_seconds_count{status=\"Accepted\"} 1",
        "go_judge_exec_memory_bytes_bucket{status=\"Accepted\",le=\"4096\"} 1",
        "go_judge_worker_queue_count 0", "go_judge_worker_running_count 0",
        "go_judge_file_current_bytes_count 1", "go_judge_file_current_bytes_sum 5",
        "go_judge_file_size_bytes_count 1", "go_judge_file_size_bytes_sum 5", "assay_workers 2",
        "process_resident_memory_bytes",
        "gin_requests_total{code=\"404\",method=\"GET\",url=\"/file/:fid\"} 1",
        "gin_request_duration_seconds_count{code=\"200\",method=\"POST\",url=\"/run\"} 1"})
    EXPECT_NE(response.body.find(line), std::string::npos) << line << "\n" << response.body;
  EXPECT_EQ(response.body.find("SECRETID"), std::string::npos);
}

TEST_F(Monitor, NeedsNoTokenAndServesNothingElse) {
  start({.auth_token = "t"});
  Client client = connect_monitor();
  EXPECT_EQ(client.ask("GET", "/metrics").status, 200);
  EXPECT_EQ(client.ask("GET", "/healthz").status, 200);
  EXPECT_EQ(client.ask("GET", "/file").status, 404);
  EXPECT_EQ(client.ask("POST", "/run", "{}").status, 404);
}

TEST(Metrics, AskWatchersWhenSomebodyLooks) {
  Metrics metrics;
  double boxes = 3;
  metrics.watch(Metrics::Kind::Gauge, "go_judge_environment_current_count", "boxes",
                [&] { return boxes; });
  metrics.watch(Metrics::Kind::Counter, "go_judge_cgroup_cpu_seconds", "cpu", [] { return 1.5; },
                {{"type", "all"}});
  metrics.watch(Metrics::Kind::Counter, "go_judge_cgroup_cpu_seconds", "cpu", [] { return 2.5; },
                {{"type", "containers"}});
  boxes = 4;
  const std::string text = metrics.text();
  EXPECT_NE(text.find("go_judge_environment_current_count 4"), std::string::npos);
  EXPECT_NE(text.find("go_judge_cgroup_cpu_seconds{type=\"containers\"} 2.5"), std::string::npos);
  EXPECT_EQ(text.find("TYPE go_judge_cgroup_cpu_seconds"),
            text.rfind("TYPE go_judge_cgroup_cpu_seconds"));
}

}  // namespace
}  // namespace assay::transport
