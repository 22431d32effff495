#include "app/sandbox_noj/streams.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "app/cli/program_input.h"
#include "os/file.h"

namespace assay::noj {
namespace {

constexpr int kTries = 200;
constexpr std::chrono::milliseconds kBetween{10};
constexpr unsigned kPatience = 2;  // seconds, as the tries take

bool is_fifo(const std::string& path) {
  struct stat found{};
  return ::stat(path.c_str(), &found) == 0 && S_ISFIFO(found.st_mode);
}

extern "C" void wake_up(int) {}

// Waits for a writer, but not for ever: the alarm has open() return.
Result<os::OwnedFd> open_fifo_for_reading(const std::string& path) {
  struct sigaction action{}, before{};
  action.sa_handler = wake_up;
  ::sigaction(SIGALRM, &action, &before);
  ::alarm(kPatience);
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  const int error = errno;
  ::alarm(0);
  ::sigaction(SIGALRM, &before, nullptr);
  if (fd >= 0) return os::OwnedFd(fd);
  if (error == EINTR) return os::open(path, O_RDWR | O_NOCTTY);
  return system_error(error, "open '" + path + "'");
}

Result<os::OwnedFd> blocking(os::OwnedFd file) {
  const int flags = ::fcntl(file.get(), F_GETFL);
  if (flags < 0 || ::fcntl(file.get(), F_SETFL, flags & ~O_NONBLOCK) < 0)
    return system_error("set up a FIFO");
  return file;
}

// For writing the kernel says ENXIO as long as nobody reads.
Result<os::OwnedFd> open_fifo_for_writing(const std::string& path) {
  for (int i = 0; i < kTries; ++i) {
    auto file = os::open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY);
    if (file) return blocking(*std::move(file));
    if (file.error().code != ENXIO && file.error().code != EAGAIN)
      return std::unexpected(file.error());
    std::this_thread::sleep_for(kBetween);
  }
  return os::open(path, O_RDWR | O_NOCTTY);
}

Result<os::OwnedFd> open_output(const std::string& path) {
  if (is_fifo(path)) return open_fifo_for_writing(path);
  return os::open(path, O_WRONLY | O_CREAT | O_NOCTTY, 0644);
}

}  // namespace

Result<OpenStreams> open_streams(const Arguments& arguments) {
  OpenStreams streams;
  // Our reader's end must be there before we wait for anybody: the other one may be waiting for it.
  const bool fifo = is_fifo(arguments.input);
  auto input = TRY(os::open(arguments.input, O_RDONLY | O_NOCTTY | (fifo ? O_NONBLOCK : 0)));
  streams.output = TRY(open_output(arguments.output));
  streams.errors = TRY(open_output(arguments.errors));
  if (fifo) input = TRY(open_fifo_for_reading(arguments.input));
  const cli::InputWay way = TRY(cli::input_way(input.get(), "file_stdin"));
  if (way == cli::InputWay::Copied) input = TRY(os::sealed_copy("sandbox-stdin", input.get()));
  streams.input = std::move(input);
  streams.relayed = way == cli::InputWay::Relayed;
  streams.result = TRY(os::open(arguments.result, O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY, 0644));
  return streams;
}

}  // namespace assay::noj
