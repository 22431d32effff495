#include "app/cli/bench_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "app/cli/bench_traces.h"
#include "os/file.h"

namespace assay::cli {
namespace {

using namespace std::chrono_literals;

Result<unsigned> free_port() {
  const os::OwnedFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  if (::bind(socket.get(), plain, size) < 0 || ::getsockname(socket.get(), plain, &size) < 0)
    return system_error("find a free port");
  return ntohs(address.sin_port);
}

Status await_ready(const Address& address, const os::Process& server) {
  const auto until = std::chrono::steady_clock::now() + 20s;
  while (std::chrono::steady_clock::now() < until) {
    if (auto line = HttpLine::connect(address)) {
      const auto answer = line->exchange(http_request("GET", "/readyz", ""));
      if (answer && answer->status == 200) return {};
    }
    if (::kill(server.pid(), 0) < 0) break;
    std::this_thread::sleep_for(10ms);
  }
  return system_error(0, "assayd did not become ready; start it by hand to see why");
}

Nanoseconds children_cpu() {
  rusage used{};
  ::getrusage(RUSAGE_CHILDREN, &used);
  const auto time = [](const timeval& t) {
    return std::chrono::seconds(t.tv_sec) + std::chrono::microseconds(t.tv_usec);
  };
  return time(used.ru_utime) + time(used.ru_stime);
}

// Ends with us, whatever ends us. Called while there is one thread, so the child may do as it
// likes.
Result<os::Process> start_leashed(const std::string& program, std::vector<std::string> arguments) {
  const os::OwnedFd nothing = TRY(os::open("/dev/null", O_RDWR));
  arguments.insert(arguments.begin(), program);
  std::vector<char*> argv;
  for (std::string& argument : arguments)
    argv.push_back(argument.data());
  argv.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return system_error("start '" + program + "'");
  if (child == 0) {
    if (::dup2(nothing.get(), 0) < 0 || ::dup2(nothing.get(), 1) < 0 ||
        ::prctl(PR_SET_PDEATHSIG, SIGTERM) < 0 || ::getppid() != parent)
      ::_exit(127);
    ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
    ::execv(program.c_str(), argv.data());
    ::_exit(127);
  }
  return os::Process(child, os::OwnedFd(static_cast<int>(::syscall(SYS_pidfd_open, child, 0))));
}

}  // namespace

Result<BenchServer> BenchServer::start() {
  const Address address{"127.0.0.1", TRY(free_port())};
  const std::string program = os::own_directory() + "/assayd";
  os::Process process = TRY(start_leashed(
      program, {"-http-addr", address.host + ":" + std::to_string(address.port), "-silent"}));
  TRY_STATUS(await_ready(address, process));
  return BenchServer(std::move(process), address);
}

std::vector<pid_t> BenchServer::own_processes() const {
  std::vector<pid_t> all = descendants_of(process_.pid());
  all.push_back(process_.pid());
  std::erase_if(all, [](pid_t pid) {
    std::error_code error;
    const auto file = std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/exe", error);
    const std::string name = file.filename().string();
    return !name.starts_with("assayd") && !name.starts_with("assay-warden");
  });
  return all;
}

Result<std::int64_t> BenchServer::memory_kib() const {
  std::int64_t total = 0;
  for (const pid_t process : own_processes())
    total += TRY(resident_of(process)).rss_kib;
  return total;
}

Result<std::int64_t> BenchServer::descriptors() const {
  std::int64_t total = 0;
  for (const pid_t process : own_processes()) {
    std::error_code error;
    const std::filesystem::directory_iterator entries("/proc/" + std::to_string(process) + "/fd",
                                                      error);
    if (!error) total += std::distance(begin(entries), end(entries));
  }
  return total;
}

// The warden holds the lock that names its engine.
Result<BenchServer::Engine> BenchServer::engine() const {
  namespace fs = std::filesystem;
  for (const pid_t process : own_processes()) {
    std::error_code error;
    for (fs::directory_iterator at("/proc/" + std::to_string(process) + "/fd", error), end;
         !error && at != end; at.increment(error)) {
      std::error_code ignored;
      const fs::path lock = fs::read_symlink(at->path(), ignored);
      if (lock.extension() != ".lock" || lock.filename() == "janitor.lock") continue;
      return Engine{process, lock.stem().string()};
    }
  }
  return invalid("the daemon has no engine");
}

Result<Nanoseconds> BenchServer::stop() {
  const Nanoseconds before = children_cpu();
  process_.send_signal(SIGTERM);
  process_.wait();
  return children_cpu() - before;
}

}  // namespace assay::cli
