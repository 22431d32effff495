#include "app/sandbox_noj/streams.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "os/file.h"

namespace assay::noj {
namespace {

constexpr int kTries = 200;
constexpr std::chrono::milliseconds kBetween{10};

bool is_fifo(const std::string& path) {
  struct stat found{};
  return ::stat(path.c_str(), &found) == 0 && S_ISFIFO(found.st_mode);
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

// A descriptor gives more than its bytes: a file that others may write is copied, so that a program
// cannot open it again through /proc.
Result<os::OwnedFd> harmless(os::OwnedFd file) {
  struct stat found{};
  if (::fstat(file.get(), &found) < 0) return system_error("look at file_stdin");
  if (S_ISDIR(found.st_mode)) return invalid("file_stdin is a directory");
  os::let_others_open(file.get());
  if (!S_ISREG(found.st_mode) || (found.st_mode & S_IWOTH) == 0) return file;
  return os::sealed_copy("sandbox-stdin", file.get());
}

}  // namespace

Result<OpenStreams> open_streams(const Arguments& arguments) {
  OpenStreams streams;
  // A reader without O_NONBLOCK waits for a writer, which may be waiting for us to read: so this
  // end is open before the others are tried.
  const bool fifo = is_fifo(arguments.input);
  auto input = TRY(os::open(arguments.input, O_RDONLY | O_NOCTTY | (fifo ? O_NONBLOCK : 0)));
  streams.output = TRY(open_output(arguments.output));
  streams.errors = TRY(open_output(arguments.errors));
  if (fifo) input = TRY(blocking(std::move(input)));
  streams.input = TRY(harmless(std::move(input)));
  streams.result = TRY(os::open(arguments.result, O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY, 0644));
  return streams;
}

}  // namespace assay::noj
