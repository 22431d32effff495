#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>

#include "os/fd.h"
#include "tests/held/client.h"

namespace assay::test {
namespace {

std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end == text.data() + text.size() || *end != '\n') return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  return value;
}

}  // namespace

int Client::write(const std::string& pipe, std::string_view bytes) const {
  const auto fd = os::open(path(pipe), O_WRONLY);
  if (!fd) return fd.error().code;
  return bytes.empty() || ::write(fd->get(), bytes.data(), bytes.size()) >= 0 ? 0 : errno;
}

std::string Client::read(const std::string& pipe) const {
  const auto fd = os::open(path(pipe), O_RDONLY);
  if (!fd) return "(no such pipe)";
  std::string text;
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t got = ::read(fd->get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

std::optional<StatusAnswer> parse_status(const std::string& text) {
  std::string_view rest = text;
  StatusAnswer answer;
  const auto cpu = take_number(rest);
  const auto memory = cpu ? take_number(rest) : std::nullopt;
  if (!memory || rest.empty() || rest.find('\n') != rest.size() - 1) return std::nullopt;
  return StatusAnswer{*cpu, *memory, std::string(rest.substr(0, rest.size() - 1))};
}

std::optional<StatusAnswer> Client::status() const {
  return parse_status(read("status"));
}

std::optional<StatusAnswer> Client::wait(std::string_view bytes) const {
  // EPIPE: the reader that we found had heard another client's end, and went. Nothing was taken.
  int error = write("wait", bytes);
  while (error == EPIPE)
    error = write("wait", bytes);
  return error == 0 ? status() : std::nullopt;
}

}  // namespace assay::test
