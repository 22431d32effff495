#include "exec/errand.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "exec/box_name.h"
#include "exec/cores.h"
#include "os/file.h"
#include "sandbox/request.h"

namespace assay::exec {
namespace {

constexpr unsigned kMode = 0777;  // of what is copied in, as clients of go-judge expect it

// go-judge's words: clients see them. A stranger's text is repeated only in part.
Error not_stored(const Error& error, const std::string& id) {
  constexpr std::size_t kShown = 64;
  if (error.fault != Fault::NotFound) return error;
  return {error.fault, error.code,
          "file does not exists with id: \"" + id.substr(0, kShown) + "\""};
}

}  // namespace

Errand::Errand(const Surroundings& around, std::size_t index)
    : around_(around), command_(around.request.commands[index]), index_(index) {}

// A program that never started did not close its side of the terminal, and the relays wait for
// that.
Errand::~Errand() {
  if (terminal_) terminal_->slave.reset();
}

Result<std::unique_ptr<Errand>> Errand::prepare(const Surroundings& around, std::size_t index) {
  std::unique_ptr<Errand> errand(new Errand(around, index));
  TRY_STATUS(errand->prepare_all());
  return errand;
}

void Errand::refuse(RunStatus status, std::string error, std::vector<FileError> files) {
  if (refusal_) return;
  refusal_ =
      CommandResult{.status = status, .error = std::move(error), .file_errors = std::move(files)};
}

Status Errand::prepare_all() {
  limits_ = choose_limits(command_.limits, around_.rules);
  spec_.profile = around_.rules.profile;
  spec_.limits = limits_.enforced;
  spec_.umask = 0;
  spec_.own_session = true;  // as under go-judge
  spec_.may_raise_stack = !command_.limits.stack;
  spec_.cores = around_.session.cores;
  TRY_STATUS(prepare_program());
  TRY_STATUS(prepare_streams());
  TRY_STATUS(prepare_files());
  TRY_STATUS(prepare_outputs());
  if (refusal_) return {};
  if (const Status sound = sandbox::check_spec(spec_); !sound)
    refuse(RunStatus::InternalError, describe(sound.error()));
  return {};
}

// A name that goes up is taken from the box's root, as the kernel would take it.
std::string Errand::in_box(const std::string& name) const {
  if (!name.contains("..")) return name;
  const std::filesystem::path below = std::filesystem::path(around_.rules.work_dir) / name;
  return below.lexically_normal().string();
}

// Else nothing runs.
bool Errand::can_be_made(const std::string& inside, const std::string& name, FileErrorType type) {
  const int why = why_no_file(inside);
  if (why == 0) return true;
  FileError error = no_such_name(name, type, why);
  std::string words = error.message;
  refuse(RunStatus::FileError, std::move(words), {std::move(error)});
  return false;
}

Status Errand::prepare_program() {
  if (command_.args.empty() || command_.args[0].empty()) {
    refuse(RunStatus::InternalError, "no program to run: args is empty");
    return {};
  }
  spec_.argv = command_.args;
  spec_.environment = around_.rules.environment;
  spec_.environment.insert(spec_.environment.end(), command_.env.begin(), command_.env.end());
  if (!command_.limits.cpu_set.empty()) {
    auto cores = parse_cores(command_.limits.cpu_set);
    if (!cores) {
      refuse(RunStatus::InternalError, "cpuSetLimit: " + describe(cores.error()));
      return {};
    }
    spec_.cores = *std::move(cores);
  }
  auto search = search_for(command_.args[0], spec_.environment);
  if (!search) {
    refuse(RunStatus::InternalError, describe(search.error()));
    return {};
  }
  search_ = *std::move(search);
  spec_.candidates = search_.candidates;
  return {};
}

// A descriptor of the source at its start. Nothing: the command is refused.
Result<std::optional<int>> Errand::open_source(const Source& source, const std::string& name) {
  if (const auto* content = std::get_if<Content>(&source)) {
    open_.push_back(TRY(os::sealed_memory("input", content->bytes)));
    return open_.back().get();
  }
  if (const auto* stored = std::get_if<Stored>(&source)) {
    auto opened = around_.store.get(stored->id);
    if (!opened) return std::unexpected(not_stored(opened.error(), stored->id));
    open_.push_back(std::move(opened->file));
    return open_.back().get();
  }
  const auto* host = std::get_if<HostFile>(&source);
  if (host == nullptr) return invalid(name + ": a directory is no source of bytes");
  auto opened = around_.open_host_file(host->path);
  if (!opened && opened.error().fault == Fault::InvalidRequest)
    return std::unexpected(std::move(opened).error());
  const bool directory = !opened && opened.error().code == EISDIR;
  if (!opened) {
    const std::string why = describe(opened.error());
    refuse(RunStatus::FileError, why,
           {{name, directory ? FileErrorType::CopyInCopyContent : FileErrorType::CopyInOpenFile,
             why}});
    return std::nullopt;
  }
  open_.push_back(*std::move(opened));
  return open_.back().get();
}

Status Errand::prepare_files() {
  for (const CopyIn& file : command_.copy_in) {
    if (std::holds_alternative<Directory>(file.source)) {
      std::string inside = in_box(file.name);
      inside.erase(inside.find_last_not_of('/') + 1);
      if (can_be_made(inside, file.name, FileErrorType::CopyInCreateFile))
        spec_.directories_in.push_back({.name = std::move(inside), .mode = kMode});
      continue;
    }
    sandbox::FileIn in{.name = in_box(file.name), .mode = kMode};
    if (const auto* content = std::get_if<Content>(&file.source)) {
      in.content = content->bytes;
    } else {
      const auto source = TRY(open_source(file.source, file.name));
      if (!source) return {};
      in.source = *source;
    }
    if (can_be_made(in.name, file.name, FileErrorType::CopyInCreateFile))
      spec_.files_in.push_back(std::move(in));
  }
  for (const SymbolicLink& link : command_.links) {
    std::string inside = in_box(link.name);
    if (can_be_made(inside, link.name, FileErrorType::Symlink))
      spec_.links_in.push_back({.name = std::move(inside), .target = link.target});
  }
  return {};
}

bool Errand::is_cached(const std::string& name) const {
  return std::ranges::any_of(command_.copy_out_cached,
                             [&](const CopyOut& wish) { return wish.name == name; });
}

// A name that is also a collector's means the collector's bytes.
Status Errand::prepare_outputs() {
  const Bytes server = around_.rules.copy_out_limit;
  const Bytes limit =
      command_.copy_out_max.count == 0 ? server : std::min(command_.copy_out_max, server);
  const auto is_collected = [this](const std::string& name) {
    return std::ranges::any_of(collected_,
                               [&](const Collected& one) { return one.wish->name == name; }) ||
           std::ranges::any_of(around_.request.pipes, [&](const PipeMap& map) {
             return map.writer.index == static_cast<int>(index_) && map.name == name;
           });
  };
  for (const bool cached : {false, true})
    for (const CopyOut& wish : cached ? command_.copy_out_cached : command_.copy_out) {
      if (is_collected(wish.name) || (!cached && is_cached(wish.name))) continue;
      Taken& taken =
          taken_.emplace_back(Taken{.wish = &wish, .cached = cached, .inside = in_box(wish.name)});
      if (taken.inside.ends_with('/')) taken.inside += '.';  // a directory, or nothing at all
      taken.no_file = why_no_file(taken.inside);
      if (taken.no_file != 0) continue;
      sandbox::FileOut out{
          .name = taken.inside, .limit = limit, .truncate = command_.copy_out_truncate};
      if (cached) {
        taken.file = TRY(around_.store.scratch());
        out.sink = taken.file.get();
      } else {
        out.text = &taken.text;
      }
      spec_.files_out.push_back(std::move(out));
    }
  return {};
}

}  // namespace assay::exec
