// The server's end of a live stream of a running program: bytes are queued in, and read out one
// piece at a time. On the strand of its WebSocket.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "exec/runner.h"
#include "transport/asio.h"

namespace assay::transport {

class LiveEnd : public std::enable_shared_from_this<LiveEnd> {
 public:
  LiveEnd(const boost::asio::any_io_executor& strand, os::OwnedFd end, bool terminal);

  // `taken` is told how many bytes the program took (or lost, when it reads no more).
  using Taken = std::function<void(std::size_t)>;
  void write(std::string bytes, Taken taken);
  void write_end();  // no more input: the program sees the end of file

  using Heard = std::function<void(std::string_view)>;  // empty: the end
  void read(Heard heard);                               // one piece
  std::string read_rest();  // after the program's end: what is there, without waiting
  void stop_reading();

  [[nodiscard]] bool is_terminal() const { return terminal_; }
  void resize(unsigned rows, unsigned columns, unsigned x, unsigned y);
  void close();

 private:
  void write_next();
  bool write_now();  // true: go on, false: wait until there is room

  boost::asio::posix::stream_descriptor end_;
  bool terminal_;
  struct Input {
    std::string bytes{};
    Taken taken{};
  };
  std::deque<Input> inputs_;
  std::size_t written_ = 0;  // of the first
  bool writing_ = false;
  bool ending_ = false;
};

}  // namespace assay::transport
