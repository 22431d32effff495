#include "app/cli/exec_spec.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "app/cli/program_input.h"
#include "app/cli/source_file.h"
#include "os/cores.h"
#include "os/file.h"

namespace assay::cli {
namespace {

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

Result<Pair> split_pair(const char* option, const std::string& text,
                        const char* form = "NAME=FILE") {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    return invalid(std::string(option) + ": '" + text + "' is not " + form);
  return Pair{text.substr(0, equals), text.substr(equals + 1)};
}

Status give_input(PreparedRun& run, int fd, const std::string& name) {
  const InputWay way = TRY(input_way(fd, name));
  if (way == InputWay::AsItIs) run.spec.input = sandbox::Descriptor{fd};
  if (way == InputWay::Relayed) run.relayed_input = fd;
  if (way != InputWay::Copied) return {};
  run.copied_input = TRY(copy_input(fd));
  run.spec.input = sandbox::Descriptor{run.copied_input->copy.get()};
  return {};
}

Status add_input(PreparedRun& run, const ExecOptions& options) {
  if (!options.input.empty() && options.input != "-") {
    run.open.push_back(TRY(about("--stdin", os::open(options.input, O_RDONLY | O_NOCTTY))));
    return about("--stdin", give_input(run, run.open.back().get(), "'" + options.input + "'"));
  }
  // A terminal that nobody asked for is nothing.
  const bool there = ::fcntl(STDIN_FILENO, F_GETFD) >= 0;
  if (!there || (options.input.empty() && ::isatty(STDIN_FILENO) == 1)) return {};
  return give_input(run, STDIN_FILENO, "stdin");
}

Status add_files_in(PreparedRun& run, const std::vector<std::string>& pairs) {
  for (const std::string& text : pairs) {
    const Pair pair = TRY(split_pair("--in", text));
    os::OwnedFd fd = TRY(about("--in", open_source(pair.value)));
    struct stat found{};
    if (::fstat(fd.get(), &found) < 0) return system_error("look at '" + pair.value + "'");
    run.spec.files_in.push_back({pair.name, fd.get(), (found.st_mode & 0111) != 0});
    run.open.push_back(std::move(fd));
  }
  return {};
}

// Of two with one name the last counts.
Result<std::vector<std::string>> environment_of(const std::vector<std::string>& variables) {
  std::vector<std::string> environment;
  for (const std::string& variable : variables) {
    const std::size_t equals = variable.find('=');
    if (equals == 0 || equals == std::string::npos)
      return invalid("--env: '" + variable + "' is not NAME=VALUE");
    const std::string name = variable.substr(0, equals + 1);
    std::erase_if(environment, [&](const std::string& one) { return one.starts_with(name); });
    environment.push_back(variable);
  }
  return environment;
}

Status add_mounts(PreparedRun& run, const std::vector<std::string>& pairs, bool writable) {
  for (const std::string& text : pairs) {
    const Pair pair =
        TRY(split_pair(writable ? "--mount-writable" : "--mount", text, "HOSTPATH=TARGET"));
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
  const std::vector<unsigned> usable = os::usable_cores();
  for (const unsigned core : cores)
    if (std::ranges::find(usable, core) == usable.end())
      return invalid(fmt::format("--cores: core {} is not one of those that can be used here: {}",
                                 core, fmt::join(usable, ",")));
  return cores;
}

Result<PreparedRun> prepare_run(const ExecOptions& options) {
  PreparedRun run;
  sandbox::Spec& spec = run.spec;
  spec.profile = options.profile;
  spec.argv = options.argv;
  spec.environment = TRY(environment_of(options.environment));
  spec.limits = TRY(limits_of(options));
  spec.cores = TRY(parse_cores(options.cores));
  TRY_STATUS(add_mounts(run, options.mounts, false));
  TRY_STATUS(add_mounts(run, options.writable_mounts, true));
  TRY_STATUS(add_files_in(run, options.files_in));
  TRY_STATUS(add_input(run, options));
  for (const std::string& text : options.files_out)
    spec.files_out.push_back({.name = TRY(split_pair("--out", text)).name});
  return run;
}

}  // namespace assay::cli
