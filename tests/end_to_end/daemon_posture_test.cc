// The boxes of a daemon as the host sees them, of a run and of every step of a judging.
#include <gtest/gtest.h>
#include <unistd.h>

#include <optional>
#include <thread>

#include "tests/end_to_end/careless.h"
#include "tests/end_to_end/daemon.h"
#include "tests/support/posture.h"
#include "tests/support/proc.h"
#include "tests/transport/client.h"

namespace assay::test {
namespace {

using namespace std::chrono_literals;

class DaemonPosture : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "full boxes need root here";
    start();
  }

  void start() {
    daemon_.emplace(std::vector<std::string>{"-http-addr=127.0.0.1:0"}, start_carelessly);
    ASSERT_TRUE(daemon_->says("\"ready\""));
    const std::string address = daemon_->field("address");
    port_ = static_cast<unsigned>(std::stoul(address.substr(address.rfind(':') + 1)));
    const std::string store = daemon_->field("store");
    profiles_ = "/run/assay/" + store.substr(store.find("daemon-")) + "/profiles";
  }

  // One that is run from memory is called after its descriptor by the kernel.
  static bool is_called(int program, const std::string& name) {
    const std::string called = proc::text({program}, "cmdline");
    return proc::text({program}, "comm").starts_with(name) ||
           called.substr(0, called.find('\0')).ends_with("/" + name);
  }

  // The box in which a program of this name runs, with as many threads as it is to have.
  std::optional<LiveBox> await_box(const std::string& name, std::size_t threads = 1) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(4 * kPatience);
    while (std::chrono::steady_clock::now() < until) {
      for (const LiveBox& box : live_boxes(daemon_->pid()))
        for (const int program : box.programs)
          if (is_called(program, name) && proc::threads(program).size() >= threads) return box;
      std::this_thread::yield();
    }
    return std::nullopt;
  }

  // What is wrong with that box once it has come to rest: a program that still starts opens and
  // closes files of its own, and init holds what it hands over until exec.
  std::string faults_at_rest(const std::string& name, const Asked& asked, std::size_t threads = 1) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(kPatience);
    std::string faults = "no box with " + name;
    do {
      const auto box = await_box(name, threads);
      if (!box) break;
      faults = lines_of(faults_of(*box, asked));
      if (!faults.empty()) std::this_thread::yield();
    } while (!faults.empty() && std::chrono::steady_clock::now() < until);
    return faults;
  }

  transport::Client connect() { return transport::Client(port_); }

  std::optional<Daemon> daemon_;
  unsigned port_ = 0;
  std::string profiles_;
};

const std::string kWaitingCommand =
    R"({"cmd":[{"args":["./waiter","2","600"],"env":["ASKED=for"],"files":[{"content":""},)"
    R"({"name":"stdout","max":1024},{"name":"stderr","max":1024}],"cpuLimit":3000000000,)"
    R"("clockLimit":600000000000,"memoryLimit":67108864,"procLimit":9,"copyIn":{"waiter":{"src":")";

TEST_F(DaemonPosture, OfARunIsTight) {
  transport::Client client = connect();
  const std::string body = kWaitingCommand + ASSAY_GUEST_DIR "/wait_with_threads" + R"("}}}]})";
  client.send(
      "POST /run HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n"
      "Content-Length: " +
      std::to_string(body.size()) + "\r\n\r\n" + body);
  Asked asked = asked_of(profiles_, "gojudge");
  asked.environment = {"ASKED=for"};
  asked.limits.cpu_time = 3s;
  asked.limits.memory = 64_MiB;
  asked.limits.processes = 9;
  // As go-judge has them.
  asked.limits.output = 256_MiB;
  asked.limits.stack = 8_MiB;
  asked.stack_most = Bytes{(64_MiB).count + (16_KiB).count + (2_MiB).count};
  asked.umask = "0000";
  asked.own_session = true;
  asked.descriptors = {"/dev/null", "/w/stdout", "/w/stderr"};
  EXPECT_EQ(faults_at_rest("waiter", asked, 3), "");
  client.hang_up();
}

// A submission during whose judging something waits, and the boxes that can then be seen.
struct Judged {
  const char* name = "";
  std::string language{}, source{}, problem{};
  struct Seen {
    std::string program{};  // how its name begins
    std::string profile{};
    void (*asks)(Asked&) = nullptr;
  };
  std::vector<Seen> boxes{};
};

const std::string kTests = R"("limits":{"cpuTimeMs":60000,"memoryMB":128},)"
                           R"("tests":[{"testId":"1","input":"1\n","answer":"1\n"}])";
const std::string kBatch = R"({"type":"batch",)" + kTests + "}";
const std::string kSleeper = "#include <unistd.h>\nint main() { sleep(600); }";
// Two that both wait would be found out, and ended.
const std::string kSpinner = "int main() { for (volatile long i = 0;;) ++i; }";
const std::string kSpinningScript = "while True: pass";
const std::string kSleepingScript = "import time; time.sleep(600)";
const std::string kPrinter = "int puts(const char*); int main() { puts(\"1\"); }";
// Takes the compiler minutes, and little memory.
const std::string kLongCompilation =
    "constexpr int f(int n) { int s = 0; for (int i = 0; i < 2000000; ++i) s ^= i + n; return s; "
    "}\n"
    "template <int N> struct V { static constexpr int v = f(N) + V<N - 1>::v % 2; };\n"
    "template <> struct V<0> { static constexpr int v = 0; };\n"
    "int main() { return V<200>::v; }";

std::string with(const std::string& field, const std::string& more = "") {
  return R"({"type":")" + std::string(field == "interactor" ? "interactive" : "batch") + "\"," +
         kTests + ",\"" + field + R"(":{"language":"python3","source":")" +
         (field == "interactor" ? kSpinningScript : kSleepingScript) + "\"" + more + "}}";
}

void ask_for_solution(Asked& asked) {
  asked.limits.cpu_time = 60s;
  asked.limits.memory = 128_MiB;
  asked.environment.emplace_back("ASAN_OPTIONS=detect_leaks=0");
  asked.descriptors = {"/memfd:content", "pipe:", "pipe:"};
}

void ask_for_script(Asked& asked) {
  ask_for_solution(asked);
  asked.environment.pop_back();
  asked.sets_own_signals = true;
}

void ask_for_compiler(Asked& asked) {
  asked.starts_others = true;
}

void ask_for_interactor(Asked& asked) {
  asked.limits.cpu_time = 300s;  // five times the solution's
  asked.sets_own_signals = true;
}

void ask_for_checker(Asked& asked) {
  ask_for_interactor(asked);
  asked.descriptors = {"/dev/null", "pipe:", "pipe:"};
}

void ask_for_partner(Asked& asked) {
  ask_for_solution(asked);
  asked.descriptors = {"pipe:", "pipe:", "pipe:"};
}

std::vector<Judged> judgings() {
  return {
      {"a-solution", "c", kSleeper, kBatch, {{"main", "native", ask_for_solution}}},
      {"a-script", "python3", kSleepingScript, kBatch, {{"python3", "python", ask_for_script}}},
      {"a-compilation",
       "cpp",
       kLongCompilation,
       kBatch,
       {{"cc1plus", "compile", ask_for_compiler}}},
      {"a-checker", "c", kPrinter, with("checker"), {{"python3", "default", ask_for_checker}}},
      {"an-interactor",
       "c",
       kSpinner,
       with("interactor", R"(,"protocol":"testlib")"),
       {{"python3", "default", ask_for_interactor}, {"main", "native", ask_for_partner}}},
  };
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') out += '\\';
    out += letter == '\n' ? std::string("\\n") : std::string(1, letter);
  }
  return out + "\"";
}

TEST_F(DaemonPosture, OfEveryBoxOfAJudgingIsTight) {
  transport::Client client = connect();
  for (const Judged& row : judgings()) {
    SCOPED_TRACE(row.name);
    const auto answer = client.ask("POST", "/v1/submissions",
                                   R"({"submissionId":")" + std::string(row.name) +
                                       R"(","language":")" + row.language + R"(","source":)" +
                                       quoted(row.source) + R"(,"problem":)" + row.problem + "}",
                                   "Content-Type: application/json\r\n");
    ASSERT_EQ(answer.status, 202) << answer.body;
    for (const Judged::Seen& seen : row.boxes) {
      Asked asked = asked_of(profiles_, seen.profile);
      seen.asks(asked);
      EXPECT_EQ(faults_at_rest(seen.program, asked), "") << seen.program;
    }
    EXPECT_EQ(client.ask("DELETE", std::string("/v1/submissions/") + row.name).status, 204);
    while (!live_boxes(daemon_->pid()).empty())
      std::this_thread::yield();  // or the next would see these
  }
}

}  // namespace
}  // namespace assay::test
