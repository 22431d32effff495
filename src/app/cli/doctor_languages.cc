// Compilers and interpreters. None of them is needed by assay itself.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "app/cli/doctor.h"
#include "app/cli/doctor_host.h"

namespace assay::cli::checkup {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 2000ms;
constexpr std::string_view kBoxPath =  // of the profiles, and what they show of the host
    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

struct Tool {
  const char* name = nullptr;
  const char* package = nullptr;
  const char* ask_version = "--version";
};

constexpr std::array kTools{
    Tool{"gcc", "gcc"},
    Tool{"g++", "g++"},
    Tool{"clang", "clang"},
    Tool{"python3", "python3"},
    Tool{"pypy3", "pypy3"},
    Tool{"java", "default-jdk-headless"},
    Tool{"node", "nodejs"},
    Tool{"go", "golang-go", "version"},
    Tool{"rustc", "rustc"},
    Tool{"ghc", "ghc"},
    Tool{"fpc", "fp-compiler", "-iV"},
    Tool{"mono", "mono-runtime mono-mcs"},
    Tool{"ocaml", "ocaml", "-version"},
    Tool{"ruby", "ruby"},
    Tool{"perl", "perl"},
    Tool{"lua", "lua5.4", "-v"},
    Tool{"php", "php-cli"},
    Tool{"bash", "bash"},
};

std::optional<std::string> find_in(std::string_view path, const std::string& name) {
  std::istringstream directories{std::string(path)};
  for (std::string directory; std::getline(directories, directory, ':');) {
    std::string candidate = fmt::format("{}/{}", directory, name);
    if (directory.starts_with('/') && ::access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return std::nullopt;
}

// Perl begins with an empty line, and a Java that was given options through the environment with
// those.
std::string version_in(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.find_first_not_of(" \t\r") != std::string::npos && !line.starts_with("Picked up "))
      return line;
  return "";
}

Finding look_at(const std::string& path, const Tool& tool) {
  const Said said = ask(path, tool.ask_version, kPatience);
  if (!said.in_time) return {State::Note, path + ": did not tell its version in 2 s"};
  const std::string version = version_in(said.text);
  if (said.status != 0)
    return {State::Degraded, fmt::format("{}: {}", path, version),
            fmt::format("apt install --reinstall {}", tool.package)};
  return {State::Ok, fmt::format("{}: {}", path, version)};
}

Finding look_for(const Tool& tool) {
  const std::string fix = fmt::format("apt install {}", tool.package);
  if (const auto path = find_in(kBoxPath, tool.name)) return look_at(*path, tool);
  const char* own_path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): single thread
  const auto elsewhere = find_in(own_path == nullptr ? "" : own_path, tool.name);
  if (elsewhere) return {State::Optional, *elsewhere + ", which no box can see", fix};
  return {State::Optional, "not found", fix};
}

}  // namespace

std::vector<Line> language_lines(const Host&) {
  std::vector<Line> lines;
  lines.reserve(kTools.size());
  for (const Tool& tool : kTools)
    lines.push_back({"languages", tool.name, look_for(tool)});
  return lines;
}

}  // namespace assay::cli::checkup
