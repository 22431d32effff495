// An engine that runs nothing: args[0] says how it behaves. Shared by the tests of the service and
// of the transports, which therefore need no root and no boxes.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "os/file.h"
#include "sandbox/live.h"
#include "service/service.h"

namespace assay::service {

inline exec::Request request_of(std::vector<std::string> args, int priority = 0,
                                Bytes memory = {}) {
  exec::Request request;
  request.priority = priority;
  request.commands.push_back(exec::Command{.args = std::move(args)});
  if (memory.count != 0) request.commands[0].limits.memory = memory;
  return request;
}

// echo TEXT [ID]  Accepted, TEXT as stdout; ID as a file that it left in the store
// hold NAME    runs until release(NAME), or until it is cancelled (Signalled, 9)
// cat          copies its live input to its live output, until end of file or cancel
// missing      an Error as for an unknown file id
// broken       an Error of ours
// bad          check() refuses it
class FakeEngine final : public Engine {
 public:
  [[nodiscard]] Status check(const exec::Request& request, bool) const override {
    for (const exec::Command& command : request.commands) {
      if (!command.args.empty() && command.args[0] == "bad")
        return invalid("bad request of a test");
    }
    return {};
  }

  Results run(const exec::Request& request, const exec::Session& session) override {
    note_start(request, session);
    std::vector<exec::CommandResult> results;
    for (const exec::Command& command : request.commands) {
      auto result = run_one(command, session);
      if (!result) return std::unexpected(result.error());
      results.push_back(*std::move(result));
    }
    const std::lock_guard guard(lock_);
    --running_;
    changed_.notify_all();
    return results;
  }

  void release(const std::string& name) {
    const std::lock_guard guard(lock_);
    released_.insert(name);
    changed_.notify_all();
  }
  bool await_started(std::size_t count) {
    std::unique_lock held(lock_);
    return changed_.wait_for(held, std::chrono::seconds(10),
                             [&] { return started_.size() >= count; });
  }
  std::vector<std::string> started() {
    const std::lock_guard guard(lock_);
    return started_;
  }
  unsigned most_at_once() {
    const std::lock_guard guard(lock_);
    return most_;
  }
  std::vector<std::vector<unsigned>> cores() {
    const std::lock_guard guard(lock_);
    return cores_;
  }
  std::vector<std::thread::id> threads() {
    const std::lock_guard guard(lock_);
    return threads_;
  }

 private:
  void note_start(const exec::Request& request, const exec::Session& session) {
    const std::lock_guard guard(lock_);
    most_ = std::max(most_, ++running_);
    std::string name;
    for (const std::string& arg : request.commands.at(0).args)
      name += (name.empty() ? "" : " ") + arg;
    started_.push_back(name);
    cores_.push_back(session.cores);
    threads_.push_back(std::this_thread::get_id());
    changed_.notify_all();
  }

  Result<exec::CommandResult> run_one(const exec::Command& command, const exec::Session& session) {
    exec::CommandResult result{.status = exec::RunStatus::Accepted};
    const std::string how = command.args.empty() ? "" : command.args[0];
    if (how == "echo") result.files["stdout"] = command.args.at(1);
    if (how == "echo" && command.args.size() > 2) result.file_ids["kept"] = command.args[2];
    if (how == "missing")
      return failure(Error{Fault::NotFound, 0, "file does not exists with id: \"XXXX\""});
    if (how == "broken") return failure(Error{Fault::System, 0, "the engine broke"});
    bool survived = true;
    if (how == "hold") survived = hold(command.args.at(1), *session.control);
    if (how == "cat") survived = cat(command, session);
    if (!survived) result.status = exec::RunStatus::Signalled, result.exit_status = 9;
    return result;
  }

  std::unexpected<Error> failure(Error error) {
    const std::lock_guard guard(lock_);
    --running_;
    return std::unexpected(std::move(error));
  }

  // Asks a Control what a watcher of the sandbox would ask it. LiveRun gives no line once it was
  // cancelled; a line of our own makes that visible for requests without one.
  class Orders {
   public:
    explicit Orders(sandbox::Control& control) : live_(&control, {}) {
      if (live_.line() < 0) control.watch_hangup(own_line_->read_end.get());
    }
    bool cancelled_soon() {  // within the next milliseconds
      if (live_.line() < 0) return true;
      pollfd both[2] = {{.fd = live_.wake_up(), .events = POLLIN, .revents = 0},
                        {.fd = live_.line(), .events = POLLRDHUP, .revents = 0}};
      if (::poll(both, 2, 2) <= 0) return false;
      live_.obey({}, sandbox::Clock::now());  // somebody may only have asked for usage
      return both[1].revents != 0 || live_.line() < 0;
    }

   private:
    Result<os::Pipe> own_line_ = os::make_pipe();
    sandbox::LiveRun live_;
  };

  bool hold(const std::string& name, sandbox::Control& control) {
    Orders orders(control);
    while (true) {
      {
        const std::lock_guard guard(lock_);
        if (released_.contains(name)) return true;
      }
      if (orders.cancelled_soon()) return false;
    }
  }

  static bool cat(const exec::Command& command, const exec::Session& session) {
    auto in = os::make_pipe(O_NONBLOCK);
    auto out = os::make_pipe(O_NONBLOCK);
    if (!in || !out) return false;
    std::vector<exec::LiveStream> streams;
    for (std::size_t fd = 0; fd < command.files.size(); ++fd) {
      const int number = static_cast<int>(fd);
      if (std::holds_alternative<exec::StreamIn>(command.files[fd]))
        streams.push_back({.fd = number, .input = true, .end = std::move(in->write_end)});
      if (std::holds_alternative<exec::StreamOut>(command.files[fd]))
        streams.push_back({.fd = number, .input = false, .end = std::move(out->read_end)});
    }
    session.on_streams(std::move(streams));
    Orders orders(*session.control);
    while (true) {
      std::string bytes(4096, '\0');
      const ssize_t got = ::read(in->read_end.get(), bytes.data(), bytes.size());
      if (got == 0) return true;
      if (got < 0) {
        if (orders.cancelled_soon()) return false;
        continue;
      }
      for (ssize_t at = 0; at < got;) {
        const ssize_t put =
            ::write(out->write_end.get(), bytes.data() + at, static_cast<std::size_t>(got - at));
        if (put > 0) at += put;
        if (put < 0 && (errno != EAGAIN || orders.cancelled_soon())) return false;
      }
    }
  }

  std::mutex lock_;
  std::condition_variable changed_;
  std::set<std::string> released_;
  std::vector<std::string> started_;
  std::vector<std::vector<unsigned>> cores_;
  std::vector<std::thread::id> threads_;
  unsigned running_ = 0;
  unsigned most_ = 0;
};

}  // namespace assay::service
