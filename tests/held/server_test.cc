// The protocol on real pipes, with a process that is none: no privilege needed.
#include "held/server.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <future>

#include "tests/held/client.h"

namespace assay::held {
namespace {

using namespace std::chrono_literals;
using test::Client;
using test::StatusAnswer;

class HeldServer : public testing::Test {
 protected:
  void SetUp() override {
    ::signal(SIGPIPE, SIG_IGN);
    std::string pattern = "/tmp/assay-held-XXXXXX";
    directory_ = ::mkdtemp(pattern.data());
    auto fifos = Fifos::make(directory_, "");
    ASSERT_TRUE(fifos) << describe(fifos.error());
    usher_.emplace(*Usher::make(std::move(*fifos)));
    doors_.emplace(usher_->doors());
    usher_->serve();
    process_.emplace(remote_of(control_), 10s);
    start();
  }

  void start() {
    Server server(*doors_, *process_, options_);
    serving_ =
        std::async(std::launch::async, [s = std::move(server)]() mutable { return s.serve(); });
  }

  void end_process() {
    if (!std::exchange(has_ended_, true)) process_->ended(outcome_);
  }

  // Ends the server as a client would; the directory is empty afterwards.
  void TearDown() override {
    end_process();
    if (serving_.valid()) {
      EXPECT_TRUE(client().wait("0"));
      const auto last = serving_.get();
      EXPECT_TRUE(last) << describe(last.error());
    }
    EXPECT_TRUE(std::filesystem::is_empty(directory_));
    process_.reset();
    usher_.reset();
    std::filesystem::remove_all(directory_);
  }

  [[nodiscard]] Client client() const { return Client(directory_); }

  ServerOptions options_{.info = [](const Reading& r) { return std::to_string(r.section) + "\n"; },
                         .stand_still = 20ms,
                         .last_patience = 100ms,
                         .close_patience = 50ms};
  std::string directory_;
  sandbox::Control control_;
  bool has_ended_ = false;
  Ended outcome_{
      .facts = sandbox::Facts{.end = sandbox::Exited{0}, .cpu_total = Nanoseconds(5'000'000)}};
  std::optional<Usher> usher_;
  std::optional<Doors> doors_;
  std::optional<Process> process_;
  std::future<Result<Reading>> serving_;
};

const StatusAnswer kRunning{0, 0, "running normally"};
const StatusAnswer kOver{5000, 0, "exited normally"};

TEST_F(HeldServer, MakesPipesForTheirOwnerAlone) {
  for (const char* name : {"wait", "status", "info", "downward", "upward"}) {
    struct stat found{};
    ASSERT_EQ(::stat(client().path(name).c_str(), &found), 0) << name;
    EXPECT_TRUE(S_ISFIFO(found.st_mode)) << name;
    EXPECT_EQ(found.st_mode & 07777, 0600U) << name;
  }
}

TEST_F(HeldServer, AnswersAThousandWaitsOnARunningProcess) {
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ(client().wait(), kRunning) << i;
}

TEST_F(HeldServer, AnswersAThousandWaitsOnAnEndedProcessWithTheSameFigures) {
  end_process();
  ASSERT_TRUE(process_->await_end(10s));
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ(client().wait(), kOver) << i;
}

TEST_F(HeldServer, TakesARequestWithANewline) {
  EXPECT_EQ(client().wait("1\n"), kRunning);
}

TEST_F(HeldServer, AnswersGarbageWithAStatusAndGoesOn) {
  for (const std::string& garbage :
       {std::string("x"), std::string("\0\0\0", 3), std::string("kill it"),
        std::string(3000, '0') + "?", std::string(60'000, 'y')})
    EXPECT_EQ(client().wait(garbage), kRunning) << garbage.size();
  EXPECT_EQ(client().wait(), kRunning);
}

TEST_F(HeldServer, TakesNoNoticeOfAClientThatWritesNothing) {
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(client().write("wait", ""), 0);
    ASSERT_EQ(client().wait(), kRunning) << i;
  }
}

TEST_F(HeldServer, GoesOnWhenAClientDiesBetweenWaitAndStatus) {
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(client().write("wait", "1"), 0);  // and never fetches the answer
    ASSERT_EQ(client().wait(), kRunning) << i;
  }
}

TEST_F(HeldServer, KeepsTheAnswerForAClientThatIsSlow) {
  ASSERT_EQ(client().write("wait", "1"), 0);
  // Taken again means that the server no longer stands still for the answer.
  ASSERT_EQ(client().write("wait", ""), 0);
  EXPECT_EQ(client().status(), kRunning);
}

TEST_F(HeldServer, GoesOnWhenTheReaderOfStatusClosesEarly) {
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(client().write("wait", "1"), 0);
    ASSERT_TRUE(os::open(client().path("status"), O_RDONLY));  // closed at once
  }
  EXPECT_EQ(client().wait(), kRunning);
}

TEST_F(HeldServer, AnswersAClientThatNeverClosesWait) {
  const auto open = os::open(client().path("wait"), O_WRONLY);
  ASSERT_TRUE(open);
  ASSERT_EQ(::write(open->get(), "1", 1), 1);
  EXPECT_EQ(client().status(), kRunning);
}

// Each takes the lock of the directory, as clients that share a process have to.
TEST_F(HeldServer, ServesTwoClientsThatTakeTurns) {
  std::atomic<int> right = 0;
  const auto ask = [&] {
    const auto directory = os::open(directory_, O_RDONLY | O_DIRECTORY);
    for (int i = 0; i < 200; ++i) {
      ::flock(directory->get(), LOCK_EX);
      right += client().wait() == kRunning;
      ::flock(directory->get(), LOCK_UN);
    }
  };
  std::thread other(ask);
  ask();
  other.join();
  EXPECT_EQ(right, 400);
}

// Without a lock one may get the other's answer, or the end without any: the server goes on.
TEST_F(HeldServer, SurvivesTwoClientsThatDoNot) {
  std::vector<pid_t> children;
  for (int i = 0; i < 2; ++i) {
    children.push_back(::fork());
    if (children.back() == 0) {
      ::alarm(2);  // one that has lost its answer waits for ever
      for (int n = 0; n < 100; ++n)
        (void)client().wait();
      ::_exit(0);
    }
  }
  for (const pid_t child : children)
    ::waitpid(child, nullptr, 0);
  EXPECT_EQ(client().wait(), kRunning);
}

TEST_F(HeldServer, TellsInfoAboutTheLastWait) {
  EXPECT_EQ(client().read("info"), "0\n");  // before any
  EXPECT_EQ(client().wait(), kRunning);
  EXPECT_EQ(client().read("info"), "0\n");
  EXPECT_EQ(client().wait(), kRunning);
  EXPECT_EQ(client().wait(), kRunning);
  EXPECT_EQ(client().read("info"), "2\n");
}

TEST_F(HeldServer, TellsTheLastInfoToWhoFetchesItBeforeTheLastStatus) {
  end_process();
  EXPECT_EQ(client().wait(), kOver);
  ASSERT_EQ(client().write("wait", "0"), 0);
  EXPECT_EQ(client().read("info"), "1\n");
  EXPECT_EQ(client().status(), kOver);
  EXPECT_TRUE(serving_.get());
}

TEST_F(HeldServer, RemovesThePipesBeforeTheLastAnswerEnds) {
  end_process();
  EXPECT_EQ(client().wait("0"), kOver);
  EXPECT_EQ(client().write("wait", "0"), ENOENT);
  EXPECT_TRUE(std::filesystem::is_empty(directory_));
  EXPECT_TRUE(serving_.get());
}

TEST_F(HeldServer, LetsGoWhoWaitsInOpenWhenThePipesAreRemoved) {
  end_process();
  ASSERT_EQ(client().write("wait", "0"), 0);  // the server stands still for the answer
  std::vector<std::future<void>> waiting;
  for (const char* pipe : {"upward", "status"})
    waiting.push_back(std::async(std::launch::async, [&, pipe] { (void)client().read(pipe); }));
  waiting.push_back(std::async(std::launch::async, [&] { (void)client().write("wait", "0"); }));
  for (auto& each : waiting)
    EXPECT_EQ(each.wait_for(10s), std::future_status::ready);
  EXPECT_TRUE(serving_.get());
}

TEST_F(HeldServer, EndsWithoutAClientForTheLastAnswer) {
  end_process();
  ASSERT_EQ(client().write("wait", "0"), 0);
  EXPECT_TRUE(serving_.get());
  EXPECT_TRUE(std::filesystem::is_empty(directory_));
}

class HeldServerThatStands : public HeldServer {
 protected:
  HeldServerThatStands() { options_.stand_still = 1h; }
};

TEST_F(HeldServerThatStands, HasNoReaderOnWaitWhileItAnswers) {
  ASSERT_EQ(client().write("wait", "1"), 0);
  const auto knock = [&] {
    return os::open(client().path("wait"), O_WRONLY | O_NONBLOCK);
  };
  while (knock())  // until it has read the byte
    std::this_thread::yield();
  for (int i = 0; i < 100; ++i) {
    const auto refused = knock();
    ASSERT_FALSE(refused);
    ASSERT_EQ(refused.error().code, ENXIO);
  }
  EXPECT_EQ(client().status(), kRunning);
  EXPECT_EQ(client().wait(), kRunning);
}

class HeldServerThatExpires : public HeldServer {
 protected:
  HeldServerThatExpires() { options_.expire = 30ms; }
};

TEST_F(HeldServerThatExpires, TerminatesWhenNobodyAsks) {
  end_process();
  const auto last = serving_.get();
  ASSERT_TRUE(last);
  EXPECT_EQ(last->text, "exited normally");
}

}  // namespace
}  // namespace assay::held
