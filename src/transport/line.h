// A client's socket as a connection sees it: steps that wait until the kernel has or takes bytes.
#pragma once

#include <coroutine>
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

  // A peer that always has bytes for us, or always takes ours, never has us wait, and would keep
  // its thread: with as many such peers as there are threads nobody else would be served, nor even
  // let in. So every so often the others come first.
  class Turn {
   public:
    Turn(Line& line, bool is_due) : line_(line), is_due_(is_due) {}
    [[nodiscard]] bool await_ready() const { return !is_due_; }
    void await_suspend(std::coroutine_handle<> waiting) const;
    static void await_resume() {}

   private:
    Line& line_;
    bool is_due_;
  };
  // Before more of the peer is heard. A worker that went on with an answer hears nothing: it is
  // needed elsewhere.
  Turn before_more() { return {*this, !Seats::is_ours() || is_over_its_time()}; }

 private:
  struct Readiness;
  Readiness readable();
  Readiness writable();
  void join_reactor();
  void leave_reactor();
  bool take_a_seat();  // true: there is something to read
  bool is_over_its_time();

  std::unique_ptr<Visit> visit_;
  // Shares the visit's descriptor, while it is open. The reactor's thread wakes at every byte of a
  // socket that it knows, whether or not anybody waits for it.
  boost::asio::posix::stream_descriptor waiter_;
  Seats& seats_;
  const Limits& limits_;
  unsigned steps_ = 0;     // since the peer last had us wait
  unsigned sittings_ = 0;  // since it was last left to the reactor
};

}  // namespace assay::transport
