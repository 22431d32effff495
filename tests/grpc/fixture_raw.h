// A client that speaks HTTP/2 itself, because it does what gRPC's never would: of an answer it
// takes nothing but its headers and its status.
#pragma once

#include <google/protobuf/message_lite.h>

#include <cstdint>
#include <map>
#include <string>

#include "os/fd.h"

namespace assay::transport::module {

os::OwnedFd connect_to(int port);

class RawClient {
 public:
  enum class Manners { Greets, SaysNothing };
  explicit RawClient(int port, Manners manners = Manners::Greets);

  // One call with one message ("/pb.Executor/FileGet").
  void call(const std::string& path, const google::protobuf::MessageLite& message);

  bool is_let_in();  // waits until the server has greeted, or closed the connection
  bool is_closed();  // waits until it is, and answers pings meanwhile
  // Waits until so many calls have ended; their statuses, by how many have it. -1: without one.
  std::map<int, int> statuses(std::size_t count);

 private:
  void send(const std::string& bytes);
  void send_data(std::uint32_t stream, const std::string& bytes);
  bool listen();  // for one frame; false: the connection is closed
  void hear(char kind, char flags, std::uint32_t stream, const std::string& payload);

  os::OwnedFd socket_;
  Manners manners_;
  std::uint32_t last_stream_ = 0;
  bool greeted_ = false;
  std::int64_t first_room_ = 65535, room_ = 65535;  // of every stream at first, of the connection
  std::map<std::uint32_t, std::int64_t> rooms_{};
  std::map<std::uint32_t, int> ended_{};
};

}  // namespace assay::transport::module
