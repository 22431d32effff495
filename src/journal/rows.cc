#include "journal/rows.h"

#include <algorithm>

namespace assay::journal {
namespace {

using sqlite::Statement;

std::int64_t nanoseconds(Moment moment) {
  return std::chrono::duration_cast<Nanoseconds>(moment.time_since_epoch()).count();
}

// What goes with the row of a submission.
Status note_row(sqlite3* database, Key key, Changes& changes) {
  Statement ask =
      TRY(Statement::of(database, "SELECT files, length(result) FROM submissions WHERE key = ?1"));
  ask.bind(1, key);
  const bool found = TRY(ask.step());
  if (!found) return {};
  if (ask.number(0) > 0) changes.drops.push_back({key, static_cast<std::size_t>(ask.number(0))});
  if (!ask.is_null(1)) {
    --changes.results;
    changes.result_bytes -= ask.number(1);
  }
  return {};
}

// Of those that are still to be delivered, or of the others.
Status evict_some(sqlite3* database, const Options& options, bool deliver, Kept& kept, Moment now,
                  Changes& changes) {
  const std::int64_t due = nanoseconds(now) - Nanoseconds(options.keep_time).count();
  // In words, not as a parameter: only so the index of the few is used, and not all rows are read.
  Statement ask = TRY(Statement::of(
      database, deliver ? "SELECT key, length(result), finished FROM submissions "
                          "INDEXED BY undelivered WHERE deliver = 1 AND result IS NOT NULL "
                          "ORDER BY finished"
                        : "SELECT key, length(result), finished FROM submissions "
                          "WHERE result IS NOT NULL AND deliver = 0 ORDER BY finished"));
  std::vector<Key> old;
  while (TRY(ask.step())) {
    const bool too_many =
        kept.count > options.keep_count || kept.bytes.count > options.keep_bytes.count;
    if (!too_many && ask.number(2) >= due) break;
    old.push_back(ask.number(0));
    --kept.count;
    kept.bytes.count -= static_cast<std::uint64_t>(ask.number(1));
  }
  for (const Key key : old)
    TRY_STATUS(erase(database, key, changes));
  if (deliver) changes.untold += old.size();
  return {};
}

}  // namespace

Status insert(sqlite3* database, const NewSubmission& submission) {
  Statement write = TRY(Statement::of(
      database,
      "INSERT INTO submissions(key, id, digest, problem, files, order_form, received) "
      "VALUES (?1, ?2, ?3, nullif(?4, 0), ?5, ?6, ?7)"));
  write.bind(1, submission.key);
  write.bind(2, submission.id);
  write.bind(3, submission.digest);
  write.bind(4, submission.problem);
  write.bind(5, static_cast<std::int64_t>(submission.files));
  write.bind_blob(6, submission.order);
  write.bind(7, nanoseconds(submission.received));
  return write.finish();
}

Status upsert(sqlite3* database, const Finished& finished, Changes& changes) {
  TRY_STATUS(note_row(database, finished.key, changes));
  Statement write = TRY(Statement::of(
      database,
      "INSERT INTO submissions(key, id, digest, result, received, finished, deliver) "
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (key) DO UPDATE SET order_form = NULL, "
      "problem = NULL, files = 0, result = ?4, finished = ?6, deliver = ?7"));
  write.bind(1, finished.key);
  write.bind(2, finished.id);
  write.bind(3, finished.digest);
  write.bind_blob(4, finished.result);
  write.bind(5, nanoseconds(finished.received));
  write.bind(6, nanoseconds(finished.finished));
  write.bind(7, std::int64_t{finished.deliver ? 1 : 0});
  TRY_STATUS(write.finish());
  ++changes.results;
  changes.result_bytes += static_cast<std::int64_t>(finished.result.size());
  return erase_unused_problems(database, changes);
}

Status mark_delivered(sqlite3* database, const std::string& id) {
  Statement write =
      TRY(Statement::of(database, "UPDATE submissions SET deliver = 0 WHERE id = ?1"));
  write.bind(1, id);
  return write.finish();
}

Status erase(sqlite3* database, Key key, Changes& changes) {
  TRY_STATUS(note_row(database, key, changes));
  Statement write = TRY(Statement::of(database, "DELETE FROM submissions WHERE key = ?1"));
  write.bind(1, key);
  TRY_STATUS(write.finish());
  return erase_unused_problems(database, changes);
}

Status insert(sqlite3* database, const NewProblem& problem, Changes& changes) {
  TRY_STATUS(erase_problem(database, problem.id, changes));
  Statement write =
      TRY(Statement::of(database,
                        "INSERT INTO problems(key, id, digest, is_current, files, form) "
                        "VALUES (?1, ?2, ?3, 1, ?4, ?5)"));
  write.bind(1, problem.key);
  write.bind(2, problem.id);
  write.bind(3, problem.digest);
  write.bind(4, static_cast<std::int64_t>(problem.files));
  write.bind_blob(5, problem.form);
  return write.finish();
}

Status erase_problem(sqlite3* database, const std::string& id, Changes& changes) {
  Statement write = TRY(Statement::of(
      database, "UPDATE problems SET is_current = 0 WHERE id = ?1 AND is_current = 1"));
  write.bind(1, id);
  TRY_STATUS(write.finish());
  return erase_unused_problems(database, changes);
}

Status erase_unused_problems(sqlite3* database, Changes& changes) {
  Statement ask = TRY(
      Statement::of(database,
                    "SELECT key, files FROM problems WHERE is_current = 0 AND NOT EXISTS "
                    "(SELECT 1 FROM submissions WHERE problem = problems.key AND result IS NULL)"));
  std::vector<Key> unused;
  while (TRY(ask.step())) {
    unused.push_back(ask.number(0));
    if (ask.number(1) > 0)
      changes.drops.push_back({ask.number(0), static_cast<std::size_t>(ask.number(1))});
  }
  for (const Key key : unused) {
    Statement write = TRY(Statement::of(database, "DELETE FROM problems WHERE key = ?1"));
    write.bind(1, key);
    TRY_STATUS(write.finish());
  }
  return {};
}

Result<Kept> count_results(sqlite3* database) {
  Statement ask = TRY(Statement::of(database,
                                    "SELECT count(*), coalesce(sum(length(result)), 0) FROM "
                                    "submissions WHERE result IS NOT NULL"));
  (void)TRY(ask.step());
  return Kept{.count = static_cast<std::uint64_t>(ask.number(0)),
              .bytes = {static_cast<std::uint64_t>(ask.number(1))}};
}

Status evict(sqlite3* database, const Options& options, Kept kept, Moment now, Changes& changes) {
  for (const bool deliver : {false, true})
    TRY_STATUS(evict_some(database, options, deliver, kept, now, changes));
  return {};
}

}  // namespace assay::journal
