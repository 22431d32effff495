#include "transport/stream_frame.h"

namespace assay::transport {
namespace {

using Kind = StreamFrame::Kind;

enum FromClient : unsigned char { kRequest = 1, kResize = 2, kInput = 3, kCancel = 4, kEnd = 5 };

StreamFrame refused(const char* why) {
  return {.refusal = why};
}

StreamFrame read_running(unsigned char type, std::string_view rest) {
  const auto id = [&] {
    return static_cast<StreamId>(rest[0]);
  };
  switch (type) {
    case kRequest:
      return refused("a second request");
    case kResize:
      return {.kind = Kind::Resize, .rest = rest};
    case kInput:
      if (rest.empty()) return refused("an input without its stream");
      return {.kind = Kind::Input, .stream = id(), .rest = rest.substr(1)};
    case kCancel:
      return {.kind = Kind::Cancel};
    case kEnd:
      if (rest.size() != 1) return refused("an end without its stream");
      return {.kind = Kind::End, .stream = id()};
    default:
      return refused("an unknown type of message");
  }
}

}  // namespace

Result<std::map<StreamId, bool>> stream_ids(const exec::Request& request) {
  std::map<StreamId, bool> ids;
  for (std::size_t index = 0; index < request.commands.size(); ++index) {
    const auto& files = request.commands[index].files;
    for (std::size_t fd = 0; fd < files.size(); ++fd) {
      const bool in = std::holds_alternative<exec::StreamIn>(files[fd]);
      if (!in && !std::holds_alternative<exec::StreamOut>(files[fd])) continue;
      if (index > kMostInStreamId || fd > kMostInStreamId)
        return invalid("a stream's command and descriptor must be at most 15");
      ids[stream_id(static_cast<int>(index), static_cast<int>(fd))] = in;
    }
  }
  return ids;
}

StreamFrame read_stream_frame(std::string_view message, bool started) {
  if (message.empty()) return refused("an empty message");
  const auto type = static_cast<unsigned char>(message[0]);
  message.remove_prefix(1);
  if (started) return read_running(type, message);
  if (type != kRequest) return refused("the first message must be a request");
  return {.kind = Kind::Request, .rest = message};
}

}  // namespace assay::transport
