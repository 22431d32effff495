#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "os/fd.h"
#include "os/file.h"
#include "os/process.h"
#include "tests/end_to_end/command.h"

namespace assay::test {
namespace {

// Both pipes are read as they fill, so that neither can block the command.
void read_both(int out, int err, Ran& ran) {
  std::array<pollfd, 2> waiting{pollfd{out, POLLIN, 0}, pollfd{err, POLLIN, 0}};
  const std::array<std::string*, 2> into{&ran.out, &ran.err};
  while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
    if (::poll(waiting.data(), waiting.size(), -1) < 0) continue;
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i].fd < 0 || waiting[i].revents == 0) continue;
      std::array<char, 65536> buffer;
      const ssize_t got = ::read(waiting[i].fd, buffer.data(), buffer.size());
      if (got <= 0)
        waiting[i].fd = -1;
      else
        into[i]->append(buffer.data(), static_cast<std::size_t>(got));
    }
  }
}

}  // namespace

Ran run_command(const std::vector<std::string>& argv, std::string_view input) {
  const os::OwnedFd in = *os::sealed_memory("input", input);
  const os::OwnedFd reader = *os::open("/proc/self/fd/" + std::to_string(in.get()), O_RDONLY);
  return run_command_on(reader.get(), argv);
}

Ran run_command_on(int input, const std::vector<std::string>& argv) {
  Ran ran;
  os::Pipe out = *os::make_pipe();
  os::Pipe err = *os::make_pipe();
  const std::array fds{input, out.write_end.get(), err.write_end.get()};
  auto process = os::spawn(argv.at(0), std::span(argv).subspan(1), fds);
  if (!process) return ran;
  out.write_end.reset();
  err.write_end.reset();
  read_both(out.read_end.get(), err.read_end.get(), ran);
  const int status = process->wait();
  if (WIFEXITED(status)) ran.code = WEXITSTATUS(status);
  return ran;
}

std::string assay_binary() {
  return std::string(ASSAY_BIN_DIR) + "/assay";
}

std::vector<std::string> exec_command(const std::vector<std::string>& arguments) {
  std::vector<std::string> argv{assay_binary(), "exec"};
  if (std::getenv("ASSAY_TEST_DEGRADED") != nullptr) argv.emplace_back("--allow-degraded");
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return argv;
}

std::string json_field(const std::string& json, const std::string& key) {
  const std::string quoted = "\"" + key + "\":";
  const std::size_t at = json.find(quoted);
  if (at == std::string::npos) return "(absent)";
  std::size_t begin = at + quoted.size();
  if (json[begin] != '"') return json.substr(begin, json.find_first_of(",}]", begin) - begin);
  ++begin;
  return json.substr(begin, json.find('"', begin) - begin);
}

Scratch::Scratch() {
  std::string pattern = "/tmp/assay-test-XXXXXX";
  path_ = ::mkdtemp(pattern.data());
}

Scratch::~Scratch() {
  std::filesystem::remove_all(path_);
}

std::string Scratch::write(const std::string& name, std::string_view content, unsigned mode) const {
  const std::string file = path_ + "/" + name;
  std::ofstream(file) << content;
  ::chmod(file.c_str(), mode);
  return file;
}

std::vector<std::string> Scratch::names() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_))
    names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

std::string content_of(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace assay::test
