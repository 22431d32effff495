// A client's socket as a connection sees it: steps that wait until the kernel has or takes bytes.
#pragma once

#include <memory>
#include <string_view>

#include "transport/asio.h"
#include "transport/message.h"
#include "transport/registry.h"
#include "transport/seats.h"
#include "transport/server.h"
#include "transport/task.h"

namespace assay::transport {

class Line {
 public:
  Line(boost::asio::io_context& io, std::unique_ptr<Visit> visit, Seats& seats,
       const Limits& limits);
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  ~Line();

  [[nodiscard]] Visit& visit() { return *visit_; }
  std::unique_ptr<Visit> release();  // the socket lives on elsewhere

  Task<ssize_t> receive(char* to, std::size_t most);  // 0: the end, -1: broken
  Task<bool> send(std::string_view head, std::string_view body, bool more);
  Task<bool> send_file(const FilePart& part);
  Task<bool> linger();  // says goodbye and lets the peer read our last answer

 private:
  struct Readiness;
  Readiness readable();
  Readiness writable();
  void join_reactor();
  void leave_reactor();
  bool take_a_seat();  // true: there is something to read

  std::unique_ptr<Visit> visit_;
  // Shares the visit's descriptor, while it is open. The reactor's thread wakes at every byte of a
  // socket that it knows, whether or not anybody waits for it.
  boost::asio::posix::stream_descriptor waiter_;
  Seats& seats_;
  const Limits& limits_;
};

}  // namespace assay::transport
