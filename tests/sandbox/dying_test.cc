// Boxes that take long to die. The warden has one thread, and used to wait there: nobody got a box
// meanwhile, and none was retired.
#include <poll.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <future>

#include "os/file.h"
#include "tests/sandbox/straggler.h"
#include "tests/support/box_test.h"
#include "tests/support/proc.h"
#include "tests/support/traces.h"

namespace assay::test {
namespace {

namespace fs = std::filesystem;
using sandbox::Sandbox;
using None = std::vector<std::string>;

template <typename Condition>
bool eventually(const Condition& holds) {
  pollfd nothing{-1, 0, 0};
  for (int tries = 0; tries < 1000 && !holds(); ++tries)
    (void)::poll(&nothing, 1, static_cast<int>(scaled(10ms) / 1ms));
  return holds();
}

os::OwnedFd handle_of(pid_t process) {
  return os::OwnedFd(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
}

bool ends(const os::OwnedFd& process) {
  pollfd ended{process.get(), POLLIN, 0};
  return ::poll(&ended, 1, static_cast<int>(scaled(10s) / 1ms)) == 1;
}

bool is_child(int warden, int process) {
  const std::vector<int> children = children_of(warden);
  return std::ranges::find(children, process) != children.end();
}

// "box-0" in whichever hierarchies.
None cgroups_of_box(const std::string& instance, unsigned number) {
  None found;
  for (const std::string& root : cgroups_of(instance))
    if (const std::string path = root + "/box-" + std::to_string(number); os::exists(path))
      found.push_back(path);
  return found;
}

class Dying : public BoxTest {
 protected:
  void SetUp() override {
    BoxTest::SetUp();
    if (!IsSkipped() && ::geteuid() != 0) GTEST_SKIP() << "needs root: enters a box's namespace";
  }

  int launcher() { return children_of(engine().warden_pid()).at(0); }

  // Kills the box in which a program runs. It is retired when the run comes back, which must not
  // wait until the box is dead: should it do so, the straggler is let go and the test fails.
  void kill_box_of_a_run(Straggler& straggler, int box) {
    const std::string mark = random_word();
    os::Pipe ready = os::make_pipe().value();
    Prepared job({.guest = "hold_mark", .arguments = {mark}});
    job.spec.output = sandbox::Descriptor{ready.write_end.get()};
    auto run = std::async(std::launch::async, [&] { return engine().run(job.spec); });
    char byte = 0;
    ASSERT_EQ(::read(ready.read_end.get(), &byte, 1), 1);
    ASSERT_EQ(::kill(box, SIGKILL), 0);
    const bool back = run.wait_for(scaled(10s)) == std::future_status::ready;
    EXPECT_TRUE(back) << "the warden waits for a box that is dying";
    if (!back) straggler.let_go();
    EXPECT_FALSE(run.get());
  }
};

TEST_F(Dying, ABoxThatDiesSlowlyHoldsUpNobodyAndIsRemovedWhenItHasEnded) {
  run({.guest = "exit_code"});
  ASSERT_TRUE(engine().await_clean());
  const int old = launcher();
  const auto ids = proc::id_map(old, "uid_map");
  Straggler straggler(old);
  ASSERT_TRUE(straggler.is_there());
  kill_box_of_a_run(straggler, old);

  for (const std::string profile : {"default", "native", "none"})
    EXPECT_EQ(run({.guest = "exit_code", .profile = profile}).letters, "AC");
  EXPECT_TRUE(is_child(engine().warden_pid(), old));
  for (const int other : children_of(engine().warden_pid())) {
    if (other == old) continue;
    EXPECT_NE(proc::id_map(other, "uid_map"), ids) << "its ids are still in use";
  }

  straggler.let_go();
  EXPECT_TRUE(eventually([&] { return !is_child(engine().warden_pid(), old); }))
      << "nobody asked the warden for anything: it must notice by itself";
  EXPECT_TRUE(eventually([&] { return cgroups_of_box(engine().instance(), 0).empty(); }));
  EXPECT_EQ(run({.guest = "exit_code"}).letters, "AC");
}

TEST_F(Dying, AnEngineThatEndsKillsAllBoxesAtOnceAndWaitsForTheSlowOne) {
  const std::string name = engine().instance();
  const int warden = engine().warden_pid();
  run({.guest = "exit_code"});
  const int other = launcher();
  run({.guest = "exit_code", .profile = "native"});
  ASSERT_TRUE(engine().await_clean());
  const std::vector<int> both = children_of(warden);
  ASSERT_EQ(both.size(), 2U);
  const int slow = both[0] == other ? both[1] : both[0];
  const os::OwnedFd first = handle_of(other);
  Straggler straggler(slow);
  ASSERT_TRUE(straggler.is_there());

  auto ending = std::async(std::launch::async, [&] { end_engine(); });
  EXPECT_TRUE(ends(first)) << "it was killed only after the slow one had ended";
  EXPECT_TRUE(is_child(warden, slow));
  EXPECT_FALSE(traces_of(name).empty());
  straggler.let_go();
  ending.get();
  EXPECT_EQ(traces_of(name), None{});
}

// A launcher in a straggler's company from its birth on: the warden is stopped when it clones one.
class BornWithAStraggler {
 public:
  explicit BornWithAStraggler(int warden) : warden_(warden) {
    is_tracing_ = ::ptrace(PTRACE_SEIZE, warden, nullptr, PTRACE_O_TRACEFORK) == 0;
  }
  [[nodiscard]] bool is_tracing() const { return is_tracing_; }

  // In the thread that made this object: the kernel knows a tracer by its thread.
  pid_t await(std::optional<Straggler>& straggler) const {
    int status = 0;
    if (::waitpid(warden_, &status, __WALL) != warden_ || status >> 16 != PTRACE_EVENT_FORK)
      return 0;
    unsigned long launcher = 0;
    ::ptrace(PTRACE_GETEVENTMSG, warden_, nullptr, &launcher);
    const auto born = static_cast<pid_t>(launcher);
    ::waitpid(born, &status, __WALL);
    straggler.emplace(born);
    ::ptrace(PTRACE_DETACH, born, nullptr, nullptr);
    ::ptrace(PTRACE_DETACH, warden_, nullptr, nullptr);
    return born;
  }

 private:
  int warden_;
  bool is_tracing_ = false;
};

// Of the shipped profiles one with a directory of the host that is not there: its launcher says so,
// and ends.
class BadProfile {
 public:
  BadProfile() {
    std::string name = fs::temp_directory_path() / "assay-test-XXXXXX";
    home_ = ::mkdtemp(name.data());
    fs::permissions(home_, fs::perms(0755));
    fs::copy(ASSAY_SOURCE_DIR "/profiles", home_ / "profiles", fs::copy_options::recursive);
    std::string text = os::read_whole(home_ / "profiles/default.toml").value();
    const std::string what = "host_prefixes = []";
    text.replace(text.find(what), what.size(), "host_prefixes = [\"" + home_.string() + "\"]");
    std::ofstream(home_ / "profiles/default.toml") << text;
  }
  ~BadProfile() { fs::remove_all(home_); }
  BadProfile(const BadProfile&) = delete;
  BadProfile& operator=(const BadProfile&) = delete;

  [[nodiscard]] std::string profiles() const { return home_ / "profiles"; }
  [[nodiscard]] sandbox::HostMount missing() const { return {home_ / "missing", "/mnt", false}; }

 private:
  fs::path home_;
};

TEST_F(Dying, ABoxThatCouldNotBeMadeAndDiesSlowlyHoldsUpNobody) {
  const BadProfile bad;
  sandbox::Options chosen = options();
  chosen.profiles = bad.profiles();
  Sandbox other = Sandbox::start(chosen).value();
  ASSERT_TRUE(other.run({.argv = {"/bin/true"}}));  // takes the launcher that was cloned ahead
  const int warden = other.warden_pid();
  const BornWithAStraggler birth(warden);
  if (!birth.is_tracing()) GTEST_SKIP() << "the warden cannot be traced: " << ::strerror(errno);
  auto run = std::async(std::launch::async, [&] {
    return other.run({.argv = {"/bin/true"}, .mounts = {bad.missing()}});
  });
  std::optional<Straggler> straggler;
  const pid_t launcher = birth.await(straggler);
  ASSERT_GT(launcher, 0);
  EXPECT_TRUE(straggler->is_there());
  const bool back = run.wait_for(scaled(10s)) == std::future_status::ready;
  EXPECT_TRUE(back) << "the warden waits for a box that is dying";
  if (!back) straggler->let_go();
  EXPECT_FALSE(run.get());
  EXPECT_EQ(is_child(warden, launcher), back);
  EXPECT_TRUE(other.run({.profile = "native", .argv = {"/bin/true"}}));
  straggler->let_go();
  EXPECT_TRUE(eventually([&] { return !is_child(warden, launcher); }));
}

}  // namespace
}  // namespace assay::test
