// Requests and messages of clients.
#include <span>

#include "wire/cmd_file.h"
#include "wire/decode_command.h"
#include "wire/fields.h"
#include "wire/json.h"

namespace assay::wire {
namespace {

// One box each, and each larger in memory than "{}," in the text.
constexpr std::size_t kMaxCommands = 1024;

struct Message {
  exec::Request request{};
  std::string cancel{};
};

Status read_int(Reader& in, int& out, int least = 0, int most = INT32_MAX) {
  std::int64_t value = out;
  TRY_STATUS(in.integer(value, least, most));
  out = static_cast<int>(value);
  return {};
}

constexpr Field<exec::PipeEnd> kEndFields[] = {
    {"index",
     [](Reader& in, exec::PipeEnd& e) {
       return read_int(in, e.index);
     }},
    {"fd",
     [](Reader& in, exec::PipeEnd& e) {
       return read_int(in, e.fd);
     }},
};

Status read_zero_copy(Reader& in, exec::PipeMap& out) {
  bool disabled = !out.zero_copy;
  TRY_STATUS(in.flag(disabled));
  out.zero_copy = !disabled;
  return {};
}

constexpr Field<exec::PipeMap> kPipeFields[] = {
    {"in",
     [](Reader& in, exec::PipeMap& p) {
       return read_object<exec::PipeEnd>(in, p.writer, kEndFields);
     }},
    {"out",
     [](Reader& in, exec::PipeMap& p) {
       return read_object<exec::PipeEnd>(in, p.reader, kEndFields);
     }},
    {"proxy",
     [](Reader& in, exec::PipeMap& p) {
       return in.flag(p.proxy);
     }},
    {"name",
     [](Reader& in, exec::PipeMap& p) {
       return in.name(p.name);
     }},
    {"max",
     [](Reader& in, exec::PipeMap& p) {
       return in.count(p.max.count, INT64_MAX);
     }},
    {"disableZeroCopy", read_zero_copy},
};

Status read_commands(Reader& in, Message& out) {
  auto& commands = out.request.commands;
  return read_list(in, commands, [&](exec::Command& command) -> Status {
    if (commands.size() > kMaxCommands) return in.fail("more than 1024 commands");
    return read_command(in, command);
  });
}

Status read_pipes(Reader& in, Message& out) {
  return read_list(in, out.request.pipes, [&](exec::PipeMap& pipe) {
    return read_object<exec::PipeMap>(in, pipe, kPipeFields);
  });
}

constexpr Field<Message> kFields[] = {
    {"cmd", read_commands},
    {"requestId",
     [](Reader& in, Message& m) {
       return in.text(m.request.id);
     }},
    {"pipeMapping", read_pipes},
    {"priority",
     [](Reader& in, Message& m) {
       return read_int(in, m.request.priority, INT32_MIN);
     }},
    {"encoding",
     [](Reader& in, Message& m) {
       return read_encoding(in, m.request.encoding);
     }},
    {"facts",
     [](Reader& in, Message& m) {
       return in.flag(m.request.wants_facts);
     }},
    {"cancelRequestId",
     [](Reader& in, Message& m) {
       return in.text(m.cancel);
     }},  // last
};
constexpr std::span<const Field<Message>> kSocketFields = kFields;
constexpr std::span<const Field<Message>> kRunFields = kSocketFields.first(std::size(kFields) - 1);

Status read_cells(Reader& in, unsigned& out) {
  std::uint64_t value = out;
  TRY_STATUS(in.count(value, UINT16_MAX));
  out = static_cast<unsigned>(value);
  return {};
}

constexpr Field<Resize> kResizeFields[] = {
    {"index",
     [](Reader& in, Resize& r) {
       return read_int(in, r.index);
     }},
    {"fd",
     [](Reader& in, Resize& r) {
       return read_int(in, r.fd);
     }},
    {"rows",
     [](Reader& in, Resize& r) {
       return read_cells(in, r.rows);
     }},
    {"cols",
     [](Reader& in, Resize& r) {
       return read_cells(in, r.columns);
     }},
    {"x",
     [](Reader& in, Resize& r) {
       return read_cells(in, r.x);
     }},
    {"y",
     [](Reader& in, Resize& r) {
       return read_cells(in, r.y);
     }},
};

}  // namespace

Result<exec::Request> decode_request(std::string_view json) {
  Reader in(json);
  Message message;
  TRY_STATUS(read_object<Message>(in, message, kRunFields));
  if (message.request.commands.empty()) return invalid("no cmd provided");
  return std::move(message.request);
}

Result<std::variant<exec::Request, Cancel>> decode_socket_message(std::string_view json) {
  Reader in(json);
  Message message;
  TRY_STATUS(read_object<Message>(in, message, kSocketFields));
  if (!message.cancel.empty()) return Cancel{std::move(message.cancel)};
  return std::move(message.request);
}

Result<Resize> decode_resize(std::string_view json) {
  Reader in(json);
  Resize resize;
  TRY_STATUS(read_object<Resize>(in, resize, kResizeFields));
  return resize;
}

}  // namespace assay::wire
