// What a client of /stream says in one binary frame. Pure.
#pragma once

#include <map>
#include <string_view>

#include "exec/command.h"

namespace assay::transport {

// Index of the command << 4 | its descriptor.
using StreamId = unsigned char;
constexpr int kMostInStreamId = 15;  // of either

constexpr StreamId stream_id(int index, int fd) {
  return static_cast<StreamId>(static_cast<unsigned>(index) << 4U | static_cast<unsigned>(fd));
}

// The streams of a request, true: input; an InvalidRequest when a byte cannot name one of them.
Result<std::map<StreamId, bool>> stream_ids(const exec::Request& request);

struct StreamFrame {
  enum class Kind { Request, Resize, Input, Cancel, End, Refused };
  Kind kind = Kind::Refused;
  StreamId stream = 0;            // Input and End
  std::string_view rest{};        // Request and Resize: JSON; Input: bytes
  const char* refusal = nullptr;  // Refused: why
};

// `started`: a request came before. The first message must be one, and no other may.
StreamFrame read_stream_frame(std::string_view message, bool started);

}  // namespace assay::transport
