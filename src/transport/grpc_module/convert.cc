#include "transport/grpc_module/convert.h"

#include <algorithm>
#include <limits>

namespace assay::transport::module {

namespace {

std::string item(const std::string& list, int index) {
  return list + "[" + std::to_string(index) + "]";
}

std::string item(const std::string& map, const std::string& key) {
  return map + "[\"" + key + "\"]";
}

// As in JSON: what is longer or larger is as good as that, and can be added to.
constexpr std::uint64_t kCentury = 100ULL * 365 * 24 * 3600 * 1'000'000'000;
constexpr std::uint64_t kMostBytes = INT64_MAX;

// Zero is what proto3 makes of "not given".
Result<std::optional<Nanoseconds>> to_duration(std::uint64_t value, const std::string& place) {
  constexpr auto most = std::numeric_limits<Nanoseconds::rep>::max();
  if (value == 0) return std::nullopt;
  if (value > static_cast<std::uint64_t>(most))
    return invalid(place + ": expected at most " + std::to_string(most) + ", got " +
                   std::to_string(value));
  return Nanoseconds(static_cast<Nanoseconds::rep>(std::min(value, kCentury)));
}

std::optional<Bytes> to_bytes(std::uint64_t value) {
  return value ? std::optional(Bytes{std::min(value, kMostBytes)}) : std::nullopt;
}

Result<exec::File> to_collector(const pb::Request::PipeCollector& pipe, const std::string& place) {
  if (pipe.name().empty()) return invalid(place + ".pipe.name: expected a name, got nothing");
  if (pipe.max() < 0)
    return invalid(place + ".pipe.max: expected integer >= 0, got " + std::to_string(pipe.max()));
  return exec::Collector{
      .name = pipe.name(), .max = {static_cast<std::uint64_t>(pipe.max())}, .pipe = pipe.pipe()};
}

Result<exec::File> to_file(const pb::Request::File& file, bool live, const std::string& place) {
  switch (file.file_case()) {
    case pb::Request::File::kLocal:
      return exec::HostFile{file.local().src()};
    case pb::Request::File::kMemory:
      return exec::Content{file.memory().content()};
    case pb::Request::File::kCached:
      return exec::Stored{file.cached().fileid()};
    case pb::Request::File::kPipe:
      return to_collector(file.pipe(), place);
    case pb::Request::File::kStreamIn:
    case pb::Request::File::kStreamOut:
      if (!live) return invalid(place + ": streamIn and streamOut are only for ExecStream");
      if (file.has_streamin()) return exec::StreamIn{};
      return exec::StreamOut{};
    case pb::Request::File::FILE_NOT_SET:
      break;
  }
  return exec::FromPipe{};
}

Result<exec::Source> to_source(const pb::Request::File& file, const std::string& place) {
  switch (file.file_case()) {
    case pb::Request::File::kLocal:
      return exec::HostFile{file.local().src()};
    case pb::Request::File::kMemory:
      return exec::Content{file.memory().content()};
    case pb::Request::File::kCached:
      return exec::Stored{file.cached().fileid()};
    default:
      return invalid(place + ": expected local, memory or cached");
  }
}

Result<exec::CommandLimits> to_limits(const pb::Request::CmdType& cmd, const std::string& place) {
  exec::CommandLimits limits;
  limits.cpu = TRY(to_duration(cmd.cputimelimit(), place + ".cpuTimeLimit"));
  limits.clock = TRY(to_duration(cmd.clocktimelimit(), place + ".clockTimeLimit"));
  limits.memory = to_bytes(cmd.memorylimit());
  limits.stack = to_bytes(cmd.stacklimit());
  if (cmd.proclimit()) limits.processes = cmd.proclimit();
  limits.cpu_rate = cmd.cpuratelimit();
  limits.cpu_set = cmd.cpusetlimit();
  limits.data_segment = cmd.datasegmentlimit();
  limits.address_space = cmd.addressspacelimit();
  return limits;
}

// Maps have no order on the wire; ours is by name, so that the same request always does the same.
Status add_copy_in(const pb::Request::CmdType& cmd, const std::string& place,
                   exec::Command& command) {
  for (const auto& [name, file] : cmd.copyin()) {
    exec::Source source = TRY(to_source(file, item(place + ".copyIn", name)));
    command.copy_in.push_back({.name = name, .source = std::move(source)});
  }
  std::ranges::sort(command.copy_in, {}, &exec::CopyIn::name);
  for (const auto& [name, target] : cmd.symlinks())
    command.links.push_back({.name = name, .target = target});
  std::ranges::sort(command.links, {}, &exec::SymbolicLink::name);
  return {};
}

template <typename List>
std::vector<exec::CopyOut> to_copy_out(const List& files) {
  std::vector<exec::CopyOut> out;
  for (const auto& file : files)
    out.push_back({.name = file.name(), .optional = file.optional()});
  return out;
}

// Text for the kernel ends at its first NUL, whatever follows.
Status check_name(const std::string& text, const std::string& place) {
  return text.contains('\0') ? invalid(place + ": has a NUL character in it") : Status{};
}

Status check_file(const pb::Request::File& file, const std::string& place) {
  if (file.has_local()) return check_name(file.local().src(), place + ".local.src");
  return file.has_pipe() ? check_name(file.pipe().name(), place + ".pipe.name") : Status{};
}

Status check_names(const pb::Request::CmdType& cmd, const std::string& place) {
  for (int i = 0; i < cmd.args_size(); ++i)
    TRY_STATUS(check_name(cmd.args(i), item(place + ".args", i)));
  for (int i = 0; i < cmd.env_size(); ++i)
    TRY_STATUS(check_name(cmd.env(i), item(place + ".env", i)));
  for (int i = 0; i < cmd.files_size(); ++i)
    TRY_STATUS(check_file(cmd.files(i), item(place + ".files", i)));
  for (const auto& [name, file] : cmd.copyin()) {
    TRY_STATUS(check_name(name, place + ".copyIn"));
    TRY_STATUS(check_file(file, item(place + ".copyIn", name)));
  }
  for (const auto& [name, target] : cmd.symlinks())
    TRY_STATUS(check_name(name + target, place + ".symlinks"));
  for (const auto* files : {&cmd.copyout(), &cmd.copyoutcached()})
    for (int i = 0; i < files->size(); ++i)
      TRY_STATUS(check_name((*files)[i].name(), item(place + ".copyOut", i)));
  return check_name(cmd.cpusetlimit(), place + ".cpuSetLimit");
}

Result<exec::Command> to_command(const pb::Request::CmdType& cmd, bool live,
                                 const std::string& place) {
  TRY_STATUS(check_names(cmd, place));
  exec::Command command;
  command.args.assign(cmd.args().begin(), cmd.args().end());
  command.env.assign(cmd.env().begin(), cmd.env().end());
  for (int i = 0; i < cmd.files_size(); ++i)
    command.files.push_back(TRY(to_file(cmd.files(i), live, item(place + ".files", i))));
  command.tty = cmd.tty();
  command.limits = TRY(to_limits(cmd, place));
  TRY_STATUS(add_copy_in(cmd, place, command));
  command.copy_out = to_copy_out(cmd.copyout());
  command.copy_out_cached = to_copy_out(cmd.copyoutcached());
  command.copy_out_max = {cmd.copyoutmax()};
  command.copy_out_truncate = cmd.copyouttruncate();
  return command;
}

exec::PipeMap to_pipe(const pb::Request::PipeMap& pipe) {
  return {.writer = {.index = pipe.in().index(), .fd = pipe.in().fd()},
          .reader = {.index = pipe.out().index(), .fd = pipe.out().fd()},
          .proxy = pipe.proxy(),
          .name = pipe.name(),
          .max = {pipe.max()},
          .zero_copy = !pipe.disablezerocopy()};
}

void fill_result(exec::CommandResult& from, pb::Response::Result& to) {
  to.set_status(static_cast<pb::Response::Result::StatusType>(from.status));
  to.set_exitstatus(from.exit_status);
  to.set_error(as_utf8(std::move(from.error)));
  to.set_time(static_cast<std::uint64_t>(from.time.count()));
  to.set_memory(from.memory.count);
  to.set_runtime(static_cast<std::uint64_t>(from.run_time.count()));
  to.set_procpeak(from.process_peak);
  for (auto& [name, content] : from.files)
    (*to.mutable_files())[as_utf8(name)] = std::move(content);
  for (auto& [name, id] : from.file_ids)
    (*to.mutable_fileids())[as_utf8(name)] = std::move(id);
  for (auto& error : from.file_errors) {
    auto* added = to.add_fileerror();
    added->set_name(as_utf8(std::move(error.name)));
    added->set_type(static_cast<pb::Response::FileError::ErrorType>(error.type));
    added->set_message(as_utf8(std::move(error.message)));
  }
}

}  // namespace

Result<exec::Request> to_request(const pb::Request& message, bool live) {
  if (message.cmd().empty()) return invalid("no cmd provided");
  exec::Request request{.id = message.requestid()};
  for (int i = 0; i < message.cmd_size(); ++i)
    request.commands.push_back(TRY(to_command(message.cmd(i), live, item("cmd", i))));
  for (const auto& pipe : message.pipemapping())
    request.pipes.push_back(to_pipe(pipe));
  return request;
}

pb::Response to_response(const std::string& request_id, std::vector<exec::CommandResult> results) {
  pb::Response response;
  response.set_requestid(request_id);
  for (auto& result : results)
    fill_result(result, *response.add_results());
  return response;
}

pb::FileListType to_file_list(const std::vector<store::Listed>& files) {
  pb::FileListType list;
  for (const auto& file : files)
    (*list.mutable_fileids())[file.id] = as_utf8(file.name);
  return list;
}

}  // namespace assay::transport::module
