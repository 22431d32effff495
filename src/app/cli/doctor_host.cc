#include "app/cli/doctor_host.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <sstream>

#include "os/file.h"
#include "os/process.h"

namespace assay::cli::checkup {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kMostSaid = 64 << 10;

// From the file: getpwuid would load shared libraries into a static program.
std::string user_name() {
  std::string number = std::to_string(::geteuid());
  std::istringstream lines(os::read_whole("/etc/passwd").value_or(""));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string name, password, id;
    if (std::getline(fields, name, ':') && std::getline(fields, password, ':') &&
        std::getline(fields, id, ':') && id == number)
      return name;
  }
  return number;
}

KernelVersion parse_release(const std::string& release) {
  KernelVersion version;
  char dot = 0;
  std::istringstream text(release);
  text >> version.major >> dot >> version.minor;
  return version;
}

int milliseconds_until(Clock::time_point end) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
  return static_cast<int>(std::max<std::chrono::milliseconds::rep>(left.count(), 0));
}

}  // namespace

Host read_host() {
  utsname name{};
  ::uname(&name);
  return {
      .root = ::geteuid() == 0,
      .user = user_name(),
      .release = name.release,
      .kernel = parse_release(name.release),
      .cgroups = os::read_cgroup_layout(),
      .systemd = os::exists("/run/systemd/system"),
  };
}

std::optional<std::string> first_line(const std::string& path) {
  const auto content = os::read_whole(path);
  if (!content) return std::nullopt;
  return content->substr(0, content->find('\n'));
}

std::string words_of(int error) {
  return ::strerrordesc_np(error) == nullptr ? fmt::format("error {}", error)
                                             : ::strerrordesc_np(error);
}

std::string set_sysctl(const std::string& assignment) {
  return fmt::format("echo {} >> /etc/sysctl.d/60-assay.conf && sysctl --system", assignment);
}

std::string boot_with(const std::string& parameter) {
  return fmt::format(
      "add '{}' to GRUB_CMDLINE_LINUX in /etc/default/grub, then: update-grub && reboot",
      parameter);
}

Said listen(int pipe, std::chrono::milliseconds patience) {
  Said said;
  const Clock::time_point end = Clock::now() + patience;
  std::array<char, 4096> chunk{};
  pollfd watched{.fd = pipe, .events = POLLIN, .revents = 0};
  while (const int left = milliseconds_until(end)) {
    if (::poll(&watched, 1, left) <= 0) continue;
    const ssize_t got = ::read(pipe, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    said.in_time = got == 0;
    if (got <= 0) return said;
    if (said.text.size() < kMostSaid) said.text.append(chunk.data(), static_cast<std::size_t>(got));
  }
  return said;
}

Said ask(const std::string& program, const std::string& argument,
         std::chrono::milliseconds patience) {
  const auto nothing = os::open("/dev/null", O_RDONLY);
  auto pipe = os::make_pipe();
  if (!nothing || !pipe) return {};
  const std::array fds{nothing->get(), pipe->write_end.get(), pipe->write_end.get()};
  auto process = os::spawn(program, std::array{argument}, fds);
  if (!process) return {};
  pipe->write_end.reset();
  Said said = listen(pipe->read_end.get(), patience);
  if (said.in_time) {
    // All its outputs are closed; a program that lingers all the same is not waited for.
    pollfd end{.fd = process->pidfd(), .events = POLLIN, .revents = 0};
    said.in_time = ::poll(&end, 1, static_cast<int>(patience.count())) == 1;
  }
  if (said.in_time) said.status = process->wait();
  return said;
}

}  // namespace assay::cli::checkup
