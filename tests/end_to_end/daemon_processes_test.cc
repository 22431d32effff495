// The processes of assayd: whoever is killed, nobody remains; and none that hears clients has
// rights.
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>

#include "os/fd.h"
#include "os/file.h"
#include "os/process.h"
#include "tests/end_to_end/daemon.h"

namespace assay::test {
namespace {

std::string content_of(const std::string& path) {
  return os::read_whole(path).value_or("");
}

bool is_gone(const Seen& seen) {
  pollfd ended{seen.pidfd.get(), POLLIN, 0};
  return ::poll(&ended, 1, kPatience) == 1;
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
    stores.push_back(daemon.field("store"));
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
  stores.push_back(next.field("store"));
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
}  // namespace assay::test
