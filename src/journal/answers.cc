#include <algorithm>

#include "journal/rows.h"

namespace assay::journal {
namespace {

using sqlite::Statement;

Moment moment(std::int64_t nanoseconds) {
  return Moment(std::chrono::duration_cast<Moment::duration>(Nanoseconds(nanoseconds)));
}

Result<std::int64_t> number(sqlite3* database, const char* question) {
  Statement ask = TRY(Statement::of(database, question));
  const bool found = TRY(ask.step());
  return found ? ask.number(0) : 0;
}

Finished finished_of(const Statement& row) {
  return {.key = row.number(0),
          .id = row.text(1),
          .digest = row.text(2),
          .result = row.text(3),
          .received = moment(row.number(4)),
          .finished = moment(row.number(5)),
          .deliver = row.number(6) != 0};
}

NewProblem problem_of(const Statement& row) {
  return {.key = row.number(0),
          .id = row.text(1),
          .digest = row.text(2),
          .form = row.text(3),
          .files = static_cast<std::size_t>(row.number(4))};
}

}  // namespace

Result<std::optional<Finished>> find_finished(sqlite3* database, const std::string& id) {
  Statement ask = TRY(Statement::of(database,
                                    "SELECT key, id, digest, result, received, finished, deliver "
                                    "FROM submissions WHERE id = ?1 AND result IS NOT NULL"));
  ask.bind(1, id);
  const bool found = TRY(ask.step());
  if (!found) return std::nullopt;
  return finished_of(ask);
}

Result<std::vector<NewSubmission>> all_unfinished(sqlite3* database) {
  Statement ask =
      TRY(Statement::of(database,
                        "SELECT key, id, digest, coalesce(problem, 0), files, order_form, received "
                        "FROM submissions WHERE result IS NULL ORDER BY key"));
  std::vector<NewSubmission> all;
  while (TRY(ask.step()))
    all.push_back({.key = ask.number(0),
                   .id = ask.text(1),
                   .digest = ask.text(2),
                   .problem = ask.number(3),
                   .order = ask.text(5),
                   .files = static_cast<std::size_t>(ask.number(4)),
                   .received = moment(ask.number(6))});
  return all;
}

Result<std::vector<Finished>> some_undelivered(sqlite3* database, const Portion& most) {
  Statement ask = TRY(Statement::of(database,
                                    "SELECT key, id, digest, result, received, finished, deliver "
                                    "FROM submissions WHERE deliver = 1 ORDER BY key"));
  std::vector<Finished> some;
  std::uint64_t size = 0;
  while (some.size() < most.count && size < most.size.count && TRY(ask.step())) {
    some.push_back(finished_of(ask));
    size += some.back().result.size();
  }
  return some;
}

Result<std::vector<NewProblem>> current_problems(sqlite3* database) {
  Statement ask = TRY(Statement::of(
      database,
      "SELECT key, id, digest, form, files FROM problems WHERE is_current = 1 ORDER BY key"));
  std::vector<NewProblem> all;
  while (TRY(ask.step()))
    all.push_back(problem_of(ask));
  return all;
}

Result<NewProblem> find_problem(sqlite3* database, Key key) {
  Statement ask = TRY(
      Statement::of(database, "SELECT key, id, digest, form, files FROM problems WHERE key = ?1"));
  ask.bind(1, key);
  const bool found = TRY(ask.step());
  if (!found) return system_error(0, "the journal has lost the submission's problem");
  return problem_of(ask);
}

Result<Key> highest_key(sqlite3* database) {
  const Key submissions = TRY(number(database, "SELECT max(key) FROM submissions"));
  const Key problems = TRY(number(database, "SELECT max(key) FROM problems"));
  return std::max(submissions, problems);
}

Result<std::set<Key>> keys_with_files(sqlite3* database) {
  Statement ask = TRY(Statement::of(database,
                                    "SELECT key FROM submissions WHERE files > 0 UNION "
                                    "SELECT key FROM problems WHERE files > 0"));
  std::set<Key> keys;
  while (TRY(ask.step()))
    keys.insert(ask.number(0));
  return keys;
}

Result<Snapshot> count_rows(sqlite3* database) {
  Snapshot now;
  now.unfinished = static_cast<std::uint64_t>(
      TRY(number(database, "SELECT count(*) FROM submissions WHERE result IS NULL")));
  now.problems = static_cast<std::uint64_t>(
      TRY(number(database, "SELECT count(*) FROM problems WHERE is_current = 1")));
  const std::int64_t pages = TRY(number(database, "PRAGMA page_count"));
  const std::int64_t size = TRY(number(database, "PRAGMA page_size"));
  now.file_bytes = {static_cast<std::uint64_t>(pages * size)};
  return now;
}

}  // namespace assay::journal
