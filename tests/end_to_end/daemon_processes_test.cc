// The processes of assayd: whoever is killed, nobody remains; and none that hears clients has
// rights.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <map>
#include <sstream>

#include "os/fd.h"
#include "os/file.h"
#include "os/process.h"

namespace assay {
namespace {

constexpr int kPatience = 15'000;  // milliseconds

std::string content_of(const std::string& path) {
  return os::read_whole(path).value_or("");
}
std::string name_of(pid_t pid) {
  std::string name = content_of("/proc/" + std::to_string(pid) + "/comm");
  if (name.ends_with('\n')) name.pop_back();
  return name;
}

// A process that is watched, so that its number cannot become somebody else's meanwhile.
struct Seen {
  pid_t pid = 0;
  os::OwnedFd pidfd{};
};

class Daemon {
 public:
  explicit Daemon(std::vector<std::string> arguments) {
    auto pipe = os::make_pipe();
    const auto null = os::open("/dev/null", O_RDWR);
    arguments.insert(arguments.begin(), "-log-format=json");
    auto process = os::spawn(ASSAY_BIN_DIR "/assayd", arguments,
                             std::array{null->get(), null->get(), pipe->write_end.get()});
    EXPECT_TRUE(process) << describe(process.error());
    process_ = *std::move(process);
    log_ = std::move(pipe->read_end);
  }
  ~Daemon() {
    if (!process_.is_running()) return;
    process_.send_signal(SIGTERM);
    process_.wait();
  }

  // Until a line contains `text`, or the end.
  bool says(const std::string& text) {
    while (said_.find(text) == std::string::npos) {
      std::array<char, 4096> buffer{};
      pollfd ready{log_.get(), POLLIN, 0};
      if (::poll(&ready, 1, kPatience) != 1) return false;
      const ssize_t got = ::read(log_.get(), buffer.data(), buffer.size());
      if (got <= 0) return false;
      said_.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return true;
  }
  const std::string& whole_log() {
    says("\x01");  // never said
    return said_;
  }
  [[nodiscard]] const std::string& said() const { return said_; }
  [[nodiscard]] pid_t pid() const { return process_.pid(); }
  void signal(int number) const { process_.send_signal(number); }
  int status() { return process_.wait(); }

  // By name: "assayd" is the keeper.
  std::map<std::string, Seen> family() {
    std::map<std::string, Seen> all;
    add(pid(), all);
    return all;
  }

 private:
  static void add(pid_t pid, std::map<std::string, Seen>& all) {
    const long pidfd = ::syscall(SYS_pidfd_open, pid, 0);
    all[name_of(pid)] = {pid, os::OwnedFd(static_cast<int>(pidfd))};
    const std::string number = std::to_string(pid);
    std::istringstream children(content_of("/proc/" + number + "/task/" + number + "/children"));
    for (pid_t child = 0; children >> child;)
      add(child, all);
  }

  os::Process process_;
  os::OwnedFd log_;
  std::string said_;
};

bool is_gone(const Seen& seen) {
  pollfd ended{seen.pidfd.get(), POLLIN, 0};
  return ::poll(&ended, 1, kPatience) == 1;
}

// Where the instance that said this keeps its files.
std::string store_in(const std::string& log) {
  const std::string key = "\"store\":\"";
  const std::size_t begin = log.find(key) + key.size();
  return log.substr(begin, log.find('"', begin) - begin);
}

class DaemonProcesses : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "full boxes need root here";
  }
};

std::string line_of(const std::string& status, const std::string& key) {
  const std::size_t begin = status.find(key + ":");
  return begin == std::string::npos ? "" : status.substr(begin, status.find('\n', begin) - begin);
}

TEST_F(DaemonProcesses, ThatHearClientsHaveNoRights) {
  Daemon daemon({"-http-addr=127.0.0.1:0"});
  ASSERT_TRUE(daemon.says("\"ready\""));
  auto family = daemon.family();
  ASSERT_TRUE(family.contains("assayd-daemon") && family.contains("assayd-opener") &&
              family.contains("assay-warden"));
  const auto status = [&](const char* name) {
    return content_of("/proc/" + std::to_string(family[name].pid) + "/status");
  };
  const std::string server = status("assayd-daemon");
  EXPECT_NE(line_of(server, "Uid"), "Uid:\t0\t0\t0\t0");
  EXPECT_EQ(line_of(server, "CapPrm"), "CapPrm:\t0000000000000000");
  EXPECT_EQ(line_of(server, "CapBnd"), "CapBnd:\t0000000000000000");
  EXPECT_EQ(line_of(server, "NoNewPrivs"), "NoNewPrivs:\t1");
  EXPECT_EQ(line_of(status("assayd-opener"), "CapPrm"), "CapPrm:\t0000000000000004");
  EXPECT_NE(line_of(status("assayd-opener"), "Uid"), "Uid:\t0\t0\t0\t0");
}

TEST_F(DaemonProcesses, AllGoWhenAnyOfThemIsKilled) {
  std::vector<std::string> stores;
  for (const char* victim : {"assayd", "assayd-daemon", "assayd-opener", "assay-warden"}) {
    SCOPED_TRACE(victim);
    Daemon daemon({"-http-addr=127.0.0.1:0"});
    ASSERT_TRUE(daemon.says("\"ready\""));
    stores.push_back(store_in(daemon.said()));
    EXPECT_TRUE(os::exists(stores.back())) << stores.back();
    const auto family = daemon.family();
    ASSERT_TRUE(family.contains(victim) && family.size() >= 5);
    ::kill(family.at(victim).pid, SIGKILL);
    for (const auto& [name, seen] : family) {
      if (name == "assayd") continue;  // is reaped below
      EXPECT_TRUE(is_gone(seen)) << name;
    }
    const int status = daemon.status();
    if (std::string(victim) == "assayd")
      EXPECT_TRUE(WIFSIGNALED(status));
    else
      EXPECT_EQ(WEXITSTATUS(status), 1);
  }
  Daemon next({"-http-addr=127.0.0.1:0"});  // cleans up after the keeper that was killed
  ASSERT_TRUE(next.says("\"ready\""));
  next.signal(SIGTERM);
  EXPECT_EQ(next.status(), 0);
  stores.push_back(store_in(next.said()));
  for (const std::string& store : stores) {
    EXPECT_FALSE(os::exists(store)) << store;
    EXPECT_FALSE(os::exists("/run/assay/" + store.substr(store.find("daemon-")))) << store;
  }
}

TEST_F(DaemonProcesses, EndWithZeroWhenAsked) {
  for (const int number : {SIGTERM, SIGINT}) {
    Daemon daemon({"-http-addr=127.0.0.1:0"});
    ASSERT_TRUE(daemon.says("\"ready\""));
    const auto family = daemon.family();
    daemon.signal(number);
    EXPECT_EQ(daemon.status(), 0);
    for (const auto& [name, seen] : family)
      EXPECT_TRUE(is_gone(seen)) << name;
  }
}

TEST_F(DaemonProcesses, NeverShowTheToken) {
  Daemon daemon({"-http-addr=127.0.0.1:0", "-auth-token=hush-hush", "-enable-debug",
                 "-monitor-addr=127.0.0.1:0"});
  ASSERT_TRUE(daemon.says("\"ready\""));
  for (const auto& [name, seen] : daemon.family())
    EXPECT_EQ(content_of("/proc/" + std::to_string(seen.pid) + "/cmdline").find("hush"),
              std::string::npos)
        << name;
  daemon.signal(SIGTERM);
  EXPECT_EQ(daemon.whole_log().find("hush"), std::string::npos);
}

TEST_F(DaemonProcesses, SayWhyTheyCannotListenEvenWhenSilent) {
  Daemon daemon({"-silent", "-http-addr=256.0.0.1:0"});
  EXPECT_NE(daemon.whole_log().find("cannot listen on '256.0.0.1:0'"), std::string::npos);
  EXPECT_EQ(WEXITSTATUS(daemon.status()), 1);
}

TEST(DaemonUsage, AMistakeIsOneLineAndTwo) {
  Daemon daemon({"-nonsense"});
  EXPECT_EQ(daemon.whole_log(), "assayd: unknown flag '-nonsense' (see -help)\n");
  EXPECT_EQ(WEXITSTATUS(daemon.status()), 2);
}

}  // namespace
}  // namespace assay
