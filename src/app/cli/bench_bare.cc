#include "app/cli/bench_bare.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <array>

#include "os/fd.h"

namespace assay::cli {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (std::string& text : strings)
    pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

char* const* environment_pointers() {
  static std::vector<std::string> variables = bench_environment();
  static const std::vector<char*> pointers = pointers_to(variables);
  return pointers.data();
}

Result<pid_t> spawn(char* const* argv, int output) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDWR, 0);
  ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO);
  pid_t pid = 0;
  const int error = ::posix_spawn(&pid, argv[0], &actions, nullptr, argv, environment_pointers());
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return system_error(error, "start '" + std::string(argv[0]) + "' without a box");
  return pid;
}

void sleep_until(Clock::time_point moment) {
  const auto since = std::chrono::duration_cast<Nanoseconds>(moment.time_since_epoch()).count();
  const timespec until{since / 1'000'000'000, since % 1'000'000'000};
  while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
  }
}

void read_to_end(int fd, std::string& into) {
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t got = ::read(fd, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    into.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

Nanoseconds to_nanoseconds(const timeval& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

}  // namespace

std::vector<std::string> bench_environment() {
  return {"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/tmp",
          "LANG=C.UTF-8"};
}

Bare::Bare(std::vector<std::string> argv) : argv_(std::move(argv)), pointers_(pointers_to(argv_)) {}

Result<BareRun> Bare::start_and_wait(std::optional<Nanoseconds> kill_at) {
  BareRun run;
  const auto begun = Clock::now();
  os::Pipe pipe = TRY(os::make_pipe());
  const pid_t pid = TRY(spawn(pointers_.data(), pipe.write_end.get()));
  pipe.write_end.reset();
  if (kill_at) {
    sleep_until(begun + *kill_at);
    ::kill(pid, SIGKILL);
  }
  read_to_end(pipe.read_end.get(), run.output);
  rusage usage{};
  while (::wait4(pid, &run.status, 0, &usage) < 0 && errno == EINTR) {
  }
  run.wall = Clock::now() - begun;
  run.cpu = to_nanoseconds(usage.ru_utime) + to_nanoseconds(usage.ru_stime);
  return run;
}

Result<BareRun> Bare::run() {
  BareRun run = TRY(start_and_wait(std::nullopt));
  if (!WIFEXITED(run.status) || WEXITSTATUS(run.status) != 0)
    return invalid("'" + argv_[0] + "' failed without a box, wait status " +
                   std::to_string(run.status));
  return run;
}

Result<BareRun> Bare::run_until(Nanoseconds kill_at) {
  return start_and_wait(kill_at);
}

}  // namespace assay::cli
