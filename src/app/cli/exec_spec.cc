#include "app/cli/exec_spec.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <limits>

#include "os/file.h"

namespace assay::cli {
namespace {

// Says which option an error is about.
template <typename T>
Result<T> about(const char* option, Result<T> result) {
  if (!result) result.error().context = std::string(option) + ": " + result.error().context;
  return result;
}

Status set(std::optional<Nanoseconds>& into, const char* option, const std::string& text) {
  if (text.empty()) return {};
  into = TRY(about(option, parse_duration(text)));
  if (into->count() == 0) return invalid(std::string(option) + ": must be more than 0");
  return {};
}

Status set(std::optional<Bytes>& into, const char* option, const std::string& text) {
  if (text.empty()) return {};
  into = TRY(about(option, parse_bytes(text)));
  if (into->count == 0) return invalid(std::string(option) + ": must be more than 0");
  return {};
}

Status set(std::optional<std::uint64_t>& into, const char* option, const std::string& text,
           std::uint64_t most) {
  if (text.empty()) return {};
  into = TRY(about(option, parse_count(text, 1, most)));
  return {};
}

Result<sandbox::Limits> limits_of(const ExecOptions& o) {
  sandbox::Limits limits;
  TRY_STATUS(set(limits.cpu_time, "--cpu", o.cpu));
  TRY_STATUS(set(limits.wall_time, "--wall", o.wall));
  TRY_STATUS(set(limits.idle_time, "--idle", o.idle));
  TRY_STATUS(set(limits.memory, "--memory", o.memory));
  TRY_STATUS(set(limits.stack, "--stack", o.stack));
  TRY_STATUS(set(limits.address_space, "--address-space", o.address_space));
  TRY_STATUS(set(limits.output, "--output", o.output));
  TRY_STATUS(set(limits.disk, "--disk", o.disk));
  TRY_STATUS(set(limits.inodes, "--inodes", o.inodes, 1'000'000'000));
  TRY_STATUS(set(limits.processes, "--processes", o.processes, 4'000'000));
  TRY_STATUS(set(limits.open_files, "--open-files", o.open_files, 1'000'000));
  return limits;
}

struct Pair {
  std::string name;
  std::string value;
};

Result<Pair> split_pair(const char* option, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    return invalid(std::string(option) + ": '" + text + "' is not NAME=FILE");
  return Pair{text.substr(0, equals), text.substr(equals + 1)};
}

// A descriptor gives more than its bytes: through /proc/self/fd a program could open a
// world-writable file again for writing, use one that is open for writing already, or walk out of a
// directory. Such a file is copied, a directory refused.
Result<int> harmless_input(PreparedRun& run, int fd, const std::string& name) {
  struct stat found{};
  if (::fstat(fd, &found) < 0) return system_error("look at " + name);
  if (S_ISDIR(found.st_mode)) return invalid(name + " is a directory, not input for a program");
  os::let_others_open(fd);
  const bool writable =
      (::fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY || (found.st_mode & S_IWOTH) != 0;
  if (!S_ISREG(found.st_mode) || !writable) return fd;
  run.open.push_back(TRY(os::sealed_copy("assay-stdin", fd)));
  return run.open.back().get();
}

Status add_input(PreparedRun& run, const ExecOptions& options) {
  if (!options.input.empty()) {
    run.open.push_back(TRY(about("--stdin", os::open(options.input, O_RDONLY | O_NOCTTY))));
    const int fd = run.open.back().get();
    run.spec.input = sandbox::Descriptor{
        TRY(about("--stdin", harmless_input(run, fd, "'" + options.input + "'")))};
  } else if (::isatty(STDIN_FILENO) == 0 && ::fcntl(STDIN_FILENO, F_GETFD) >= 0) {
    // Never a terminal: a program could type into it.
    run.spec.input = sandbox::Descriptor{TRY(harmless_input(run, STDIN_FILENO, "stdin"))};
  }
  return {};
}

Result<sandbox::Stream> stream_to(PreparedRun& run, const char* option, const std::string& path,
                                  int ours, bool dropped) {
  if (path.empty() && dropped) return sandbox::Collect{};
  if (path.empty() || path == "-") return sandbox::Collect{.sink = ours};
  run.open.push_back(
      TRY(about(option, os::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY, 0644))));
  return sandbox::Collect{.sink = run.open.back().get()};
}

Status add_files_in(PreparedRun& run, const std::vector<std::string>& pairs) {
  for (const std::string& text : pairs) {
    const Pair pair = TRY(split_pair("--in", text));
    os::OwnedFd fd = TRY(about("--in", os::open(pair.value, O_RDONLY | O_NOCTTY)));
    struct stat found{};
    if (::fstat(fd.get(), &found) < 0) return system_error("look at '" + pair.value + "'");
    if (S_ISDIR(found.st_mode))
      return invalid("--in: '" + pair.value + "' is a directory, not a file");
    run.spec.files_in.push_back({pair.name, fd.get(), (found.st_mode & 0111) != 0});
    run.open.push_back(std::move(fd));
  }
  return {};
}

Status add_files_out(PreparedRun& run, const std::vector<std::string>& pairs) {
  for (const std::string& text : pairs) {
    const Pair pair = TRY(split_pair("--out", text));
    run.outputs.push_back(TRY(about("--out", PendingFile::open(pair.value))));
    run.spec.files_out.push_back({.name = pair.name, .sink = run.outputs.back().fd()});
  }
  return {};
}

Status add_mounts(PreparedRun& run, const std::vector<std::string>& pairs, bool writable) {
  for (const std::string& text : pairs) {
    const Pair pair = TRY(split_pair(writable ? "--mount-writable" : "--mount", text));
    run.spec.mounts.push_back({pair.name, pair.value, writable});
  }
  return {};
}

}  // namespace

Result<std::vector<unsigned>> parse_cores(const std::string& text) {
  std::vector<unsigned> cores;
  std::size_t at = 0;
  while (at <= text.size() && !text.empty()) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string part = text.substr(at, comma - at);
    const std::size_t dash = part.find('-');
    const auto first = TRY(about("--cores", parse_count(part.substr(0, dash), 0, 1023)));
    const auto last = dash == std::string::npos
                          ? first
                          : TRY(about("--cores", parse_count(part.substr(dash + 1), first, 1023)));
    for (std::uint64_t core = first; core <= last; ++core)
      cores.push_back(static_cast<unsigned>(core));
    at = comma + 1;
  }
  return cores;
}

Result<PreparedRun> prepare_run(const ExecOptions& options) {
  PreparedRun run;
  sandbox::Spec& spec = run.spec;
  spec.profile = options.profile;
  spec.argv = options.argv;
  spec.environment = options.environment;
  spec.limits = TRY(limits_of(options));
  spec.cores = TRY(parse_cores(options.cores));
  TRY_STATUS(add_mounts(run, options.mounts, false));
  TRY_STATUS(add_mounts(run, options.writable_mounts, true));
  TRY_STATUS(add_files_in(run, options.files_in));
  TRY_STATUS(add_input(run, options));
  spec.output = TRY(stream_to(run, "--stdout", options.out, STDOUT_FILENO, options.json));
  spec.errors = TRY(stream_to(run, "--stderr", options.err, STDERR_FILENO, options.json));
  TRY_STATUS(add_files_out(run, options.files_out));
  return run;
}

}  // namespace assay::cli
