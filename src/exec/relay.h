// A pipe that we stand in: what one program writes, another reads; it is counted, limited and noted
// on the way, and never changed.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "exec/transcript.h"
#include "os/fd.h"

namespace assay::exec {

// Copies until the source ends, on a thread of its own.
//
// The thread blocks in read and lives on the writer's core: when the writer waits for its answer
// the core is free at once, so that a hand-over costs a switch of threads and only the reader's
// core has to be woken, as by a direct pipe.
class Relay {
 public:
  // Once the reader has gone. Drain: the rest is read and thrown away, the writer never gets
  // SIGPIPE and never waits. Break: the writer gets SIGPIPE, as with a direct pipe.
  enum class ReaderGone { Drain, Break };

  struct Plan {
    os::OwnedFd source{};
    os::OwnedFd sink{};  // closed: nobody reads, all is kept or thrown away
    Bytes keep{};
    std::vector<unsigned> cores{};
    std::optional<Bytes> limit{};  // past it nothing is passed on
    Bytes backlog{};  // is read ahead when the reader does not read; then the writer waits
    ReaderGone reader_gone = ReaderGone::Drain;
    Transcript* transcript = nullptr;
    unsigned voice = 0;
    // On the relay's thread, before anything is read: sets the ends that are not there yet.
    std::function<void(Plan& plan)> before_begin{};
    // On the relay's thread. Until the first returns, the reader does not learn that there is no
    // more; until the second returns, the writer does not learn that nobody reads.
    std::function<void(int sink)> before_end{};
    std::function<void()> before_break{};
    std::function<void()> over_limit{};  // once
  };

  struct Counts {
    std::uint64_t bytes = 0;  // that the writer wrote
    bool over_limit = false;
    std::uint64_t unread = 0;                         // of them, when the writer or reader ended
    std::chrono::steady_clock::time_point last_at{};  // something was passed on
  };

  static Result<std::unique_ptr<Relay>> start(Plan plan);
  explicit Relay(Plan plan);  // throws where no thread can be had
  ~Relay();                   // waits for the end
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  std::string finish();  // waits for the end; what was kept
  [[nodiscard]] const Counts& counts() const { return counts_; }  // after finish()
  // Something is on its way: the thread would pass it on if it got a cpu. From any thread.
  [[nodiscard]] bool is_at_work() const;

 private:
  void work();
  bool take();  // false: there is no more
  bool pass_pages();
  bool wait();  // for the source or the sink; true: the source has something
  void keep_hands_free();
  [[nodiscard]] bool await_source() const;
  void hear(std::string_view bytes);
  void pass_on(std::string_view bytes);
  void flush(short sink_events);  // of poll
  void lose_reader(std::size_t undelivered = 0);
  void end();

  Plan plan_;
  Counts counts_;
  std::string kept_;
  std::string pending_;      // the reader did not take it yet,
  std::size_t flushed_ = 0;  // but so much of it
  bool reader_lost_ = false;
  bool flooding_ = false;       // the writer fills whatever there is
  bool has_pages_ = false;      // the source is a pipe, and can give them away
  bool source_waits_ = true;    // for whatever comes
  bool sink_hangs_up_ = false;  // a terminal: it takes bytes that nobody will read
  std::vector<char> buffer_;
  std::atomic<int> id_ = 0;  // of the thread
  std::thread thread_;
};

// What is in a pipe that nobody has read, by either end; 0 for other files.
std::uint64_t unread_in(int pipe);

}  // namespace assay::exec
