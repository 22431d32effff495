// What outlives the daemon: submissions that were accepted, their results, problems by id, and the
// files that those refer to. An SQLite file with a write-ahead log, written by one thread that puts
// all that waits into one transaction; read by whoever asks. What it keeps are bytes: what they
// mean is their owner's business. Never judges, and never logs but through `say`.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "journal/lasting.h"
#include "journal/pins.h"

namespace assay::journal {

using Moment = std::chrono::system_clock::time_point;

struct Options {
  std::string directory{};           // made when missing; nobody else may look into it
  bool outlives_power = false;       // waits for the disk; otherwise only for the kernel
  std::size_t keep_count = 100'000;  // of results
  Bytes keep_bytes = 1_GiB;          // of results
  std::chrono::seconds keep_time{7 * 24 * 3600};
  Bytes most = 16_GiB;                        // of the file; then nothing more is accepted
  Bytes queue = 256_MiB;                      // what waits to be written; more waits outside
  std::chrono::milliseconds patience{5'000};  // with a process that holds the journal and ends
  std::function<void(const std::string& sentence)> say{};
};

// Ready when it is written, or when we know that it cannot be.
using Written = std::shared_future<Status>;

struct NewSubmission {
  Key key = 0;
  std::string id{}, digest{};
  Key problem = 0;      // 0: it came with the submission
  std::string order{};  // its lasting form
  std::size_t files = 0;
  Moment received{};
};
struct Finished {
  Key key = 0;
  std::string id{}, digest{};
  std::string result{};  // its lasting form
  Moment received{}, finished{};
  bool deliver = false;  // until delivered() says so, or it is too old
};
struct NewProblem {
  Key key = 0;
  std::string id{}, digest{};
  std::string form{};
  std::size_t files = 0;
};

// As much as somebody can take at once: about what a sender has room for.
struct Portion {
  std::size_t count = 1024;
  Bytes size = 64_MiB;  // the last one may be over it
};

struct Snapshot {
  std::uint64_t unfinished = 0, results = 0, problems = 0;
  Bytes result_bytes{}, file_bytes{};
  std::uint64_t waiting = 0;  // to be written
  std::uint64_t written = 0, commits = 0, failures = 0, evicted = 0;
};

class Journal {
 public:
  // Conflict: another process has it. A damaged file is moved aside, with a word about it.
  static Result<std::unique_ptr<Journal>> open(Options options);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal();  // after all that waits was written

  // A key, and files that are kept under it until what is written under it needs them no more. Who
  // writes nothing drops them.
  Result<Key> reserve(const Files& files);
  void drop_files(Key key, std::size_t count) const;
  [[nodiscard]] Result<os::OwnedFd> file(Key key, std::size_t number) const;

  // In the order of the calls. They return at once.
  Written accept(NewSubmission submission);
  Written finish(Finished finished);  // also of one that was never accepted here
  Written delivered(std::string id);
  Written remove(Key key);          // a submission, whether it is over or not
  Written put(NewProblem problem);  // in the place of the one with its id
  Written remove_problem(std::string id);
  void wait_for_room();  // while too much waits to be written

  // What was written before the call.
  [[nodiscard]] Result<std::optional<Finished>> find(const std::string& id) const;
  [[nodiscard]] Result<std::vector<NewSubmission>> unfinished() const;               // oldest first
  [[nodiscard]] Result<std::vector<Finished>> undelivered(Portion most = {}) const;  // likewise
  [[nodiscard]] Result<std::vector<NewProblem>> problems() const;  // likewise, the current
  [[nodiscard]] Result<NewProblem> problem(Key key) const;         // or one that was replaced since
  [[nodiscard]] Snapshot snapshot() const;

 private:
  struct Inside;
  explicit Journal(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace assay::journal
