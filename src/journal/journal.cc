#include "journal/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <atomic>
#include <thread>

#include "journal/queue.h"
#include "journal/rows.h"
#include "journal/schema.h"
#include "os/file.h"

namespace assay::journal {
namespace {

constexpr int kPatience = 5'000;  // milliseconds, with our own other connection
constexpr std::int64_t kPage = 4096;

Result<os::OwnedFd> lock(int directory, const Options& options) {
  os::OwnedFd file = TRY(os::open_at(directory, "lock", O_RDWR | O_CREAT | O_NOFOLLOW, 0600));
  const auto end = std::chrono::steady_clock::now() + options.patience;
  // A daemon that was killed a moment ago may not have ended yet.
  while (::flock(file.get(), LOCK_EX | LOCK_NB) < 0) {
    if (errno != EWOULDBLOCK && errno != EINTR)
      return system_error(fmt::format("lock the journal in '{}'", options.directory));
    if (std::chrono::steady_clock::now() >= end)
      return std::unexpected(
          Error{Fault::Conflict, 0,
                fmt::format("another daemon keeps its journal in '{}'", options.directory)});
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return file;
}

Result<sqlite::Handle> connect(const Options& options) {
  const std::string path = fmt::format("{}/{}", options.directory, kFileName);
  // SQLite would let everybody read it; what it makes beside it has the same mode.
  (void)TRY(os::open(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0600));
  sqlite::Handle handle =
      TRY(sqlite::open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, kPatience));
  // NORMAL: what was committed outlives this process, but the last of it not a power cut. Either
  // way the file stays whole.
  TRY_STATUS(sqlite::run(handle.get(), options.outlives_power ? "PRAGMA synchronous = FULL"
                                                              : "PRAGMA synchronous = NORMAL"));
  TRY_STATUS(sqlite::run(handle.get(),
                         "PRAGMA journal_mode = WAL; PRAGMA cache_size = -512; "
                         "PRAGMA journal_size_limit = 4194304"));
  return handle;
}

struct Opened {
  sqlite::Handle writer{}, reader{};
  Key highest = 0;
  Kept kept{};
  std::set<Key> with_files{};
};

Result<Opened> open_file(const Options& options) {
  Opened opened;
  opened.writer = TRY(connect(options));
  sqlite3* database = opened.writer.get();
  TRY_STATUS(make_current(database));
  const auto pages = static_cast<std::int64_t>(options.most.count) / kPage;
  TRY_STATUS(sqlite::run(database, fmt::format("PRAGMA max_page_count = {}", pages).c_str()));
  Changes changes;
  TRY_STATUS(erase_unused_problems(database, changes));
  opened.highest = TRY(highest_key(database));
  opened.kept = TRY(count_results(database));
  opened.with_files = TRY(keys_with_files(database));
  opened.reader = TRY(connect(options));
  return opened;
}

Result<Opened> open_or_replace(const Options& options) {
  auto opened = open_file(options);
  if (opened) return opened;
  const std::string why = describe(opened.error());
  const std::string path = fmt::format("{}/{}", options.directory, kFileName);
  if (opened.error().code != EUCLEAN)
    return std::unexpected(
        Error{opened.error().fault, opened.error().code,
              fmt::format("the journal '{}': {}", path, opened.error().context)});
  const std::string aside = TRY(move_aside(options.directory));
  if (options.say)
    options.say(
        fmt::format("the journal '{}' is damaged ({}): what it held is in '{}', and a new "
                    "one is begun",
                    path, why, aside));
  return open_file(options);
}

}  // namespace

struct Journal::Inside {
  Options options;
  os::OwnedFd lock;
  Pins pins;
  std::atomic<Key> highest;
  std::mutex reading{};
  sqlite::Handle reader;
  std::unique_ptr<Queue> queue{};

  template <typename Question>
  auto ask(const Question& question) {
    const std::lock_guard guard(reading);
    return question(reader.get());
  }
};

Journal::Journal(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Journal::~Journal() = default;

Result<std::unique_ptr<Journal>> Journal::open(Options options) {
  TRY_STATUS(os::make_directory(options.directory, 0700));
  const os::OwnedFd directory = TRY(os::open(options.directory, O_RDONLY | O_DIRECTORY));
  os::OwnedFd held = TRY(lock(directory.get(), options));
  Opened opened = TRY(open_or_replace(options));
  Pins pins = TRY(Pins::open(directory.get()));
  pins.drop_all_but(opened.with_files);
  std::unique_ptr<Inside> inside(new Inside{.options = std::move(options),
                                            .lock = std::move(held),
                                            .pins = std::move(pins),
                                            .highest = opened.highest,
                                            .reader = std::move(opened.reader)});
  inside->queue =
      std::make_unique<Queue>(std::move(opened.writer), inside->options, inside->pins, opened.kept);
  return std::unique_ptr<Journal>(new Journal(std::move(inside)));
}

Result<Key> Journal::reserve(const Files& files) {
  const Key key = ++inside_->highest;
  TRY_STATUS(inside_->pins.keep(key, files, inside_->options.outlives_power));
  return key;
}

void Journal::drop_files(Key key, std::size_t count) const {
  inside_->pins.drop(key, count);
}

Result<os::OwnedFd> Journal::file(Key key, std::size_t number) const {
  return inside_->pins.open_file(key, number);
}

Written Journal::accept(NewSubmission submission) {
  const std::size_t size = submission.order.size();
  const Dropped files{submission.key, submission.files};
  return inside_->queue->put(
      [submission = std::move(submission)](sqlite3* database, Changes&) {
        return insert(database, submission);
      },
      size, files);
}

Written Journal::finish(Finished finished) {
  const std::size_t size = finished.result.size();
  return inside_->queue->put(
      [finished = std::move(finished)](sqlite3* database, Changes& changes) {
        return upsert(database, finished, changes);
      },
      size);
}

Written Journal::delivered(std::string id) {
  return inside_->queue->put(
      [id = std::move(id)](sqlite3* database, Changes&) { return mark_delivered(database, id); },
      0);
}

Written Journal::remove(Key key) {
  return inside_->queue->put(
      [key](sqlite3* database, Changes& changes) { return erase(database, key, changes); }, 0);
}

Written Journal::put(NewProblem problem) {
  const std::size_t size = problem.form.size();
  const Dropped files{problem.key, problem.files};
  return inside_->queue->put(
      [problem = std::move(problem)](sqlite3* database, Changes& changes) {
        return insert(database, problem, changes);
      },
      size, files);
}

Written Journal::remove_problem(std::string id) {
  return inside_->queue->put(
      [id = std::move(id)](sqlite3* database, Changes& changes) {
        return erase_problem(database, id, changes);
      },
      0);
}

void Journal::wait_for_room() {
  inside_->queue->wait_for_room();
}

Result<std::optional<Finished>> Journal::find(const std::string& id) const {
  return inside_->ask([&](sqlite3* database) { return find_finished(database, id); });
}

Result<std::vector<NewSubmission>> Journal::unfinished() const {
  return inside_->ask(all_unfinished);
}

Result<std::vector<Finished>> Journal::undelivered(Portion most) const {
  return inside_->ask([&](sqlite3* database) { return some_undelivered(database, most); });
}

Result<std::vector<NewProblem>> Journal::problems() const {
  return inside_->ask(current_problems);
}

Result<NewProblem> Journal::problem(Key key) const {
  return inside_->ask([&](sqlite3* database) { return find_problem(database, key); });
}

Snapshot Journal::snapshot() const {
  Snapshot now = inside_->ask(count_rows).value_or(Snapshot{});
  const Queue::Counts counts = inside_->queue->counts();
  now.results = counts.kept.count;
  now.result_bytes = counts.kept.bytes;
  now.waiting = counts.waiting;
  now.written = counts.written;
  now.commits = counts.commits;
  now.failures = counts.failures;
  now.evicted = counts.evicted;
  return now;
}

}  // namespace assay::journal
