// Serves `wait`, `status` and `info` until termination was asked for. One thread; nobody can make
// it wait for ever: an answer that nobody fetches is put by, and the next client is heard.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "held/doors.h"
#include "held/process.h"
#include "held/request.h"

namespace assay::held {

struct ServerOptions {
  verdict::WaitPolarity polarity = verdict::WaitPolarity::ZeroTerminates;
  std::function<std::string(const Reading&)> info{};  // what `info` says about the last wait
  std::function<void()> before_termination{};
  std::optional<Nanoseconds> expire{};  // after so long without a request it terminates by itself
  Nanoseconds stand_still = std::chrono::milliseconds(500);  // for the reader of an answer
  Nanoseconds last_patience = std::chrono::seconds(5);       // for the reader of the last one
  Nanoseconds close_patience = std::chrono::seconds(1);      // from a client's byte to its close()
};

class Server {
 public:
  // All are borrowed.
  Server(Doors& doors, Process& process, ServerOptions options)
      : doors_(doors), process_(process), options_(std::move(options)) {}

  // The last reading; the process is over and the pipes are gone.
  Result<Reading> serve();

 private:
  using Clock = std::chrono::steady_clock;

  // What a client asks for; nothing when none has come for too long.
  Result<std::optional<Asked>> hear(int wait);
  enum class Event { Request, Fetched, TooLate };
  Result<Event> next_event(int wait, std::optional<Clock::time_point> until);
  Status offer(Reading reading);
  Status await_status_reader(Nanoseconds patience);
  Status give_status();
  Status give_info();
  Status ask_once(Door door, bool& asked);
  Result<Reading> end(bool client_waits);

  Doors& doors_;
  Process& process_;
  ServerOptions options_;
  std::optional<Reading> last_;       // that `info` tells
  std::optional<Reading> unfetched_;  // that `status` tells to its next reader
  bool status_asked_ = false;
  bool info_asked_ = false;
  bool ending_ = false;
};

}  // namespace assay::held
