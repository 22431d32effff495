// What the daemon does, free of any transport: takes requests, keeps them in line, gives each its
// cores, runs it, tells the result. The only room with threads.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "exec/runner.h"
#include "judge/cores.h"

namespace assay::service {

struct Options {
  unsigned parallelism = 0;  // requests at a time; 0: one per core
  std::vector<std::vector<unsigned>>
      core_sets{};  // one worker per element, pinned; overrides parallelism
  unsigned queue_limit = 512;
  Bytes memory_limit{};    // what all running requests may be promised together; 0: no such limit
  Bytes default_memory{};  // counted for a command that names no limit
  unsigned stream_limit = 256;  // requests at a time that skip the queue: each has its own thread
};

// Who runs the commands: exec::Runner in the daemon, a fake in the tests of everything above it.
class Engine {
 public:
  virtual ~Engine() = default;
  [[nodiscard]] virtual Status check(const exec::Request& request, bool live) const = 0;
  virtual Result<std::vector<exec::CommandResult>> run(const exec::Request& request,
                                                       const exec::Session& session) = 0;
};
std::unique_ptr<Engine> make_engine(exec::Runner& runner);  // the runner is borrowed

// What `done` is told when the request was not run (Fault::Busy). go-judge's words: clients see
// them.
inline constexpr const char* kQueueFull = "worker queue is full";
inline constexpr const char* kTooManyBytes = "too many bytes of requests in flight";
inline constexpr const char* kShuttingDown = "worker is shutting down";
inline constexpr const char* kCancelled = "cancelled before execute";

using Results = Result<std::vector<exec::CommandResult>>;
using Done = std::move_only_function<void(Results)>;

// A request on its way. The service holds it until done was called; the holder may cancel.
class Job {
 public:
  virtual ~Job() = default;
  virtual void cancel() = 0;  // queued: done with an error; running: killed; over: nothing
  virtual sandbox::Control& control() = 0;
};

struct Submission {
  exec::Request request{};
  Done done{};  // called exactly once, on some thread of the service or before submit returns
  std::function<void(std::vector<exec::LiveStream>)> on_streams{};
  int hangup = -1;  // a socket: when its peer goes, the request is cancelled. Borrowed until done
  bool run_here =
      false;  // the calling thread may run it itself when a place is free: saves a hand-off
  bool skip_queue = false;  // a live stream does not wait
};

struct Snapshot {
  std::uint64_t queued = 0, running = 0, workers = 0;
  std::uint64_t accepted = 0, finished = 0, refused = 0, cancelled = 0;
  std::uint64_t failed = 0;  // ended with an Error instead of results, for whatever reason
  Bytes memory_promised{};
  bool draining = false;
};

// What somebody who counts wants to know of every finished command.
using Observer = std::function<void(const exec::CommandResult&)>;

class Service {
 public:
  Service(std::unique_ptr<Engine> engine, store::Store& store, Options options, Observer observer);
  ~Service();  // stops: cancels everything, waits

  // Fault::Busy comes to `done` when the queue is full or the service stops. The job is null when
  // it was over at once. A request larger than memory_limit runs, alone.
  std::shared_ptr<Job> submit(Submission submission);

  // Requests in line whose clients have hung up are over: called now and then by whoever lent the
  // sockets. `done` is called on this thread.
  void dismiss_the_gone();

  // The same places, for judgings. Borrowed from this service.
  [[nodiscard]] std::unique_ptr<judge::Cores> cores(int priority) const;

  store::Store& store();
  [[nodiscard]] Snapshot snapshot() const;
  void drain(std::chrono::milliseconds
                 patience);  // takes nothing more, waits for what runs, cancels the rest

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace assay::service
