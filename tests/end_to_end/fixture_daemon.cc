#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <sstream>

#include "os/file.h"
#include "tests/end_to_end/daemon.h"
#include "tests/support/places.h"

namespace assay::test {
namespace {

std::string content_of(const std::string& path) {
  return os::read_whole(path).value_or("");
}

std::string name_of(pid_t pid) {
  std::string name = content_of("/proc/" + std::to_string(pid) + "/comm");
  if (name.ends_with('\n')) name.pop_back();
  return name;
}

void add(pid_t pid, std::map<std::string, Seen>& all) {
  const long pidfd = ::syscall(SYS_pidfd_open, pid, 0);
  all[name_of(pid)] = {pid, os::OwnedFd(static_cast<int>(pidfd))};
  const std::string number = std::to_string(pid);
  std::istringstream children(content_of("/proc/" + number + "/task/" + number + "/children"));
  for (pid_t child = 0; children >> child;)
    add(child, all);
}

}  // namespace

Daemon::Daemon(std::vector<std::string> arguments, Start start) {
  auto pipe = os::make_pipe();
  const auto null = os::open("/dev/null", O_RDWR);
  arguments.insert(arguments.begin(), "-log-format=json");
  auto process = start(tried_programs() + "/assayd", arguments,
                       std::array{null->get(), null->get(), pipe->write_end.get()});
  EXPECT_TRUE(process) << describe(process.error());
  process_ = *std::move(process);
  log_ = std::move(pipe->read_end);
}

Daemon::~Daemon() {
  if (!process_.is_running()) return;
  process_.send_signal(SIGTERM);
  process_.wait();
}

bool Daemon::says(const std::string& text) {
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

const std::string& Daemon::whole_log() {
  says("\x01");  // never said
  return said_;
}

std::string Daemon::field(const std::string& key) const {
  const std::string wanted = "\"" + key + "\":\"";
  const std::size_t found = said_.rfind(wanted);
  if (found == std::string::npos) return "";
  const std::size_t begin = found + wanted.size();
  return said_.substr(begin, said_.find('"', begin) - begin);
}

std::map<std::string, Seen> Daemon::family() {
  std::map<std::string, Seen> all;
  add(pid(), all);
  return all;
}

}  // namespace assay::test
