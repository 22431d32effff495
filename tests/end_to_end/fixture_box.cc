#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "os/file.h"
#include "tests/end_to_end/box.h"

namespace assay::test {

void BoxCommand::start(const std::vector<std::string>& options,
                       const std::vector<std::string>& program) {
  std::vector<std::string> arguments{"box", "--dir", directory_.path()};
  if (std::getenv("ASSAY_TEST_DEGRADED") != nullptr) arguments.emplace_back("--allow-degraded");
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.emplace_back("--");
  arguments.insert(arguments.end(), program.begin(), program.end());
  os::Pipe out = *os::make_pipe();
  os::Pipe err = *os::make_pipe();
  const os::OwnedFd nothing = *os::open("/dev/null", O_RDONLY);
  const std::array fds{nothing.get(), out.write_end.get(), err.write_end.get()};
  auto started = os::spawn(assay_binary(), arguments, fds);
  ASSERT_TRUE(started) << describe(started.error());
  process_ = std::move(*started);
  out_ = std::move(out.read_end);
  err_ = std::move(err.read_end);
  // It says where the pipes are as soon as they are there.
  std::string line;
  char byte = 0;
  while (::read(out_.get(), &byte, 1) == 1 && byte != '\n')
    line += byte;
  EXPECT_EQ(line, directory_.path());
}

std::string BoxCommand::rest_of(int fd) {
  std::string text;
  std::array<char, 4096> buffer;
  for (ssize_t got = 0; (got = ::read(fd, buffer.data(), buffer.size())) > 0;)
    text.append(buffer.data(), static_cast<std::size_t>(got));
  return text;
}

Ran BoxCommand::end() {
  Ran ran{.out = rest_of(out_.get()), .err = rest_of(err_.get())};
  const int status = process_.wait();
  if (WIFEXITED(status)) ran.code = WEXITSTATUS(status);
  return ran;
}

void BoxCommand::TearDown() {
  if (process_.is_running()) {
    process_.send_signal(SIGTERM);
    EXPECT_EQ(end().code, 2);
  }
  EXPECT_TRUE(directory_.names().empty());
}

StatusAnswer BoxCommand::wait(std::string_view bytes) {
  const auto answer = client().wait(bytes);
  EXPECT_TRUE(answer) << "no status of three lines";
  return answer.value_or(StatusAnswer{});
}

}  // namespace assay::test
