// Requests as a client of go-judge would write them, with ours where it has no word.
#include "wire/base64.h"
#include "wire/json.h"
#include "wire/utf8.h"
#include "wire/writer.h"

namespace assay::wire {
namespace {

using exec::Command;
using exec::CommandLimits;

struct FileWriter {
  std::string& out;

  void operator()(const exec::FromPipe&) { out += "null"; }
  void operator()(const exec::HostFile& file) { one("src", file.path); }
  void operator()(const exec::Stored& file) { one("fileId", file.id); }
  void operator()(const exec::StreamIn&) { out += R"({"streamIn":true})"; }
  void operator()(const exec::StreamOut&) { out += R"({"streamOut":true})"; }
  void operator()(const exec::Directory&) { out += R"({"dir":true})"; }
  void operator()(const exec::Content& content) {
    if (is_utf8(content.bytes)) return one("content", content.bytes);
    Object object(out);
    object.value("content") += '"';
    append_base64(out, content.bytes);
    out += '"';
    object.text("encoding", "base64");
    object.close();
  }
  void operator()(const exec::Collector& collector) {
    Object object(out);
    object.text("name", collector.name);
    object.count("max", collector.max.count);
    if (collector.pipe) object.flag("pipe", true);
    object.close();
  }

 private:
  void one(std::string_view key, std::string_view value) {
    Object object(out);
    object.text(key, value);
    object.close();
  }
};

void append_limits(Object& object, const CommandLimits& limits) {
  const auto time = [&](std::string_view key, const std::optional<Nanoseconds>& value) {
    if (value) object.number(key, value->count());
  };
  const auto size = [&](std::string_view key, const std::optional<Bytes>& value) {
    if (value) object.count(key, value->count);
  };
  time("cpuLimit", limits.cpu);
  time("clockLimit", limits.clock);
  time("idleLimit", limits.idle);
  size("memoryLimit", limits.memory);
  size("stackLimit", limits.stack);
  size("outputLimit", limits.output);
  if (limits.processes) object.count("procLimit", *limits.processes);
  if (limits.cpu_rate > 0) object.count("cpuRateLimit", limits.cpu_rate);
  if (!limits.cpu_set.empty()) object.text("cpuSetLimit", limits.cpu_set);
  if (limits.data_segment) object.flag("dataSegmentLimit", true);
  if (limits.address_space) object.flag("addressSpaceLimit", true);
}

void append_copy_in(Object& object, const Command& command) {
  if (command.copy_in.empty() && command.links.empty()) return;
  Object files(object.value("copyIn"));
  for (const exec::CopyIn& file : command.copy_in)
    std::visit(FileWriter{files.value_of(file.name)}, file.source);
  for (const exec::SymbolicLink& link : command.links) {
    Object file(files.value_of(link.name));
    file.text("symlink", link.target);
    file.close();
  }
  files.close();
}

void append_copy_out(Object& object, std::string_view key, const std::vector<exec::CopyOut>& list) {
  if (list.empty()) return;
  append_list(object.value(key), list, [](std::string& out, const exec::CopyOut& file) {
    append_text(out, file.optional ? file.name + '?' : file.name);
  });
}

void append_command(std::string& out, const Command& command) {
  Object object(out);
  append_list(object.value("args"), command.args, append_text);
  if (!command.env.empty()) append_list(object.value("env"), command.env, append_text);
  if (!command.files.empty())
    append_list(object.value("files"), command.files,
                [](std::string& to, const exec::File& file) { std::visit(FileWriter{to}, file); });
  if (command.tty) object.flag("tty", true);
  append_limits(object, command.limits);
  append_copy_in(object, command);
  append_copy_out(object, "copyOut", command.copy_out);
  append_copy_out(object, "copyOutCached", command.copy_out_cached);
  if (command.copy_out_max.count > 0) object.count("copyOutMax", command.copy_out_max.count);
  if (command.copy_out_truncate) object.flag("copyOutTruncate", true);
  object.close();
}

void append_end(std::string& out, const exec::PipeEnd& end) {
  Object object(out);
  object.number("index", end.index);
  object.number("fd", end.fd);
  object.close();
}

void append_pipe(std::string& out, const exec::PipeMap& pipe) {
  Object object(out);
  append_end(object.value("in"), pipe.writer);
  append_end(object.value("out"), pipe.reader);
  if (pipe.proxy) object.flag("proxy", true);
  if (!pipe.name.empty()) object.text("name", pipe.name);
  if (pipe.max.count > 0) object.count("max", pipe.max.count);
  if (!pipe.zero_copy) object.flag("disableZeroCopy", true);
  object.close();
}

}  // namespace

std::string encode_request(const exec::Request& request) {
  std::string out;
  Object object(out);
  if (!request.id.empty()) object.text("requestId", request.id);
  append_list(object.value("cmd"), request.commands, append_command);
  if (!request.pipes.empty()) append_list(object.value("pipeMapping"), request.pipes, append_pipe);
  if (request.priority != 0) object.number("priority", request.priority);
  if (request.encoding == exec::Encoding::Base64) object.text("encoding", "base64");
  if (request.wants_facts) object.flag("facts", true);
  object.close();
  return out;
}

}  // namespace assay::wire
