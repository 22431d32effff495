#include "app/daemon/keeper.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>

#include "app/daemon/host_file.h"
#include "app/daemon/notify.h"
#include "app/daemon/serve.h"
#include "app/daemon/signals.h"
#include "app/daemon/slim.h"
#include "os/packet.h"

namespace assay::daemon {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kPatience{10};  // for the warden to remove its traces

// PM2 sends SIGTERM to the whole group before it means it.
bool is_run_by_pm2() {
  for (const char* name : {"PM2_HOME", "PM2_JSON_PROCESSING", "NODE_APP_INSTANCE"})
    if (std::getenv(name) != nullptr) return true;  // NOLINT(concurrency-mt-unsafe): one thread
  return false;
}

// Keeps standard error and the socket, nothing else.
[[noreturn]] void be_opener(const Startup& startup, int socket) {
  constexpr int kSocket = 3;
  ::signal(SIGINT, SIG_IGN);
  ::signal(SIGTERM, SIG_IGN);
  ::signal(SIGHUP, SIG_IGN);
  if (socket != kSocket && ::dup2(socket, kSocket) < 0) ::_exit(1);
  ::close_range(kSocket + 1, ~0U, 0);
  ::close(0);
  ::close(1);
  ::prctl(PR_SET_NAME, "assayd-opener");
  if (!keep_only_reading(startup.identity)) ::_exit(1);
  serve_host_files(kSocket, startup.settings.src_prefix);
  ::_exit(0);
}

class Keeper {
 public:
  Keeper(Runtime runtime, const Log& log)
      : runtime_(std::move(runtime)), log_(log), manager_(ServiceManager::find()) {}

  Status start(Startup startup);
  int watch();

 private:
  void take(int signal);
  void reap();
  void outlive_children();

  Runtime runtime_;
  const Log& log_;
  ServiceManager manager_;
  os::OwnedFd signals_;
  os::OwnedFd ready_;
  pid_t opener_ = 0;
  pid_t daemon_ = 0;
  int code_ = 0;
  bool stopping_ = false;
  bool ignores_term_ = is_run_by_pm2();
};

Status Keeper::start(Startup startup) {
  // What the daemon leaves behind when it is killed comes to us, so that we can wait for it.
  if (::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0) return system_error("adopt orphans");
  signals_ = TRY(take_signals({SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD}));
  os::PacketPair pair = TRY(os::make_packet_pair());
  os::Pipe ready = TRY(os::make_pipe());
  const pid_t self = ::getpid();
  opener_ = ::fork();
  if (opener_ < 0) return system_error("start the opener of host files");
  if (opener_ == 0) {
    unblock_signals();
    ::setpgid(0, 0);
    be_opener(startup, pair.theirs.get());
  }
  pair.theirs.reset();
  daemon_ = ::fork();
  if (daemon_ < 0) return system_error("start the daemon");
  if (daemon_ == 0) {
    unblock_signals();
    ::setpgid(0, 0);  // Ctrl-C comes to the keeper, which passes it on
    runtime_.disown();
    signals_.reset();
    ready.read_end.reset();
    ::_exit(
        serve(std::move(startup), {self, std::move(pair.ours), std::move(ready.write_end)}, log_));
  }
  ready_ = std::move(ready.read_end);
  return {};
}

void Keeper::take(int signal) {
  if (signal == SIGCHLD) return reap();
  if (signal == SIGTERM && ignores_term_) return;
  stopping_ = true;
  manager_.tell("STOPPING=1");
  if (daemon_ > 0) ::kill(daemon_, SIGTERM);
}

// The next that has ended, or 0. The signal that told of it comes only once.
pid_t next_ended(int& status) {
  pid_t pid = -1;
  do {
    pid = ::waitpid(-1, &status, WNOHANG);
  } while (pid < 0 && errno == EINTR);
  return std::max(pid, 0);
}

void Keeper::reap() {
  int status = 0;
  while (const pid_t pid = next_ended(status)) {
    if (pid == daemon_) {
      daemon_ = 0;
      if (WIFEXITED(status)) code_ = std::max(code_, WEXITSTATUS(status));
      if (!WIFSIGNALED(status)) continue;
      code_ = 1;
      log_.error("the daemon was killed", {{"signal", std::int64_t{WTERMSIG(status)}}});
    } else if (pid == opener_) {
      opener_ = 0;
      const bool let_go = WIFEXITED(status) && WEXITSTATUS(status) == 0;  // by the daemon
      if (daemon_ == 0 || stopping_ || let_go) continue;
      code_ = 1;
      log_.error("the opener of host files is gone: stopping");
      ::kill(daemon_, SIGTERM);
    }
  }
}

int Keeper::watch() {
  while (daemon_ > 0) {
    std::array<pollfd, 2> wait{{{signals_.get(), POLLIN, 0}, {ready_.get(), POLLIN, 0}}};
    if (::poll(wait.data(), ready_.is_open() ? 2 : 1, -1) < 0 && errno != EINTR) break;
    while (const int signal = next_signal(signals_))
      take(signal);
    if (ready_.is_open() && wait[1].revents != 0) {
      char byte = 0;
      if (::read(ready_.get(), &byte, 1) == 1) manager_.tell("READY=1");
      ready_.reset();
      forget_code();  // from here on there is nothing to do but to wait
    }
  }
  outlive_children();
  return code_;
}

// The warden, and what it still has to remove.
void Keeper::outlive_children() {
  const auto deadline = Clock::now() + kPatience;
  while (::waitpid(-1, nullptr, WNOHANG) >= 0) {
    if (Clock::now() > deadline) return log_.error("a child does not end; leaving without it");
    pollfd wait{signals_.get(), POLLIN, 0};
    (void)::poll(&wait, 1, 50);
    while (next_signal(signals_) != 0) {
    }
  }
}

Result<int> keep_or_say_why(const Chosen& chosen, const Log& log) {
  Runtime runtime = TRY(Runtime::begin());
  Startup startup = TRY(prepare(chosen, runtime, log));
  Keeper keeper(std::move(runtime), log);
  TRY_STATUS(keeper.start(std::move(startup)));
  return keeper.watch();
}

}  // namespace

int keep(const Chosen& chosen, const Log& log) {
  const auto code = keep_or_say_why(chosen, log);
  if (code) return *code;
  log.fatal(describe(code.error()));
  return 1;
}

}  // namespace assay::daemon
