// The journal's questions and answers in SQL. Private to this room; each function belongs into a
// transaction of its caller's.
#pragma once

#include <set>
#include <vector>

#include "journal/journal.h"
#include "sqlite/sqlite.h"

namespace assay::journal {

// Files that nothing refers to any more: they go once the transaction is written.
struct Dropped {
  Key key = 0;
  std::size_t count = 0;
};
// What a transaction changes beside the rows, once it is written.
struct Changes {
  std::vector<Dropped> drops{};
  std::int64_t results = 0, result_bytes = 0;
  std::uint64_t untold = 0;  // of the results that went: nobody was told of them
};

Status insert(sqlite3* database, const NewSubmission& submission);
Status upsert(sqlite3* database, const Finished& finished, Changes& changes);
Status mark_delivered(sqlite3* database, const std::string& id);
Status erase(sqlite3* database, Key key, Changes& changes);
Status insert(sqlite3* database, const NewProblem& problem, Changes& changes);
Status erase_problem(sqlite3* database, const std::string& id, Changes& changes);

// Removes the oldest results beyond the limits: those that are still to be delivered only when no
// others are left, or when they are too old. Without a bound a receiver that never answers would
// fill the journal.
struct Kept {
  std::uint64_t count = 0;
  Bytes bytes{};
};
Result<Kept> count_results(sqlite3* database);
Status evict(sqlite3* database, const Options& options, Kept kept, Moment now, Changes& changes);

Result<std::optional<Finished>> find_finished(sqlite3* database, const std::string& id);
Result<std::vector<NewSubmission>> all_unfinished(sqlite3* database);
Result<std::vector<Finished>> some_undelivered(sqlite3* database, const Portion& most);
Result<std::vector<NewProblem>> current_problems(sqlite3* database);
Result<NewProblem> find_problem(sqlite3* database, Key key);

Result<Key> highest_key(sqlite3* database);
Result<std::set<Key>> keys_with_files(sqlite3* database);
Result<Snapshot> count_rows(sqlite3* database);
// Problems that were replaced or removed and that nobody waits for any more.
Status erase_unused_problems(sqlite3* database, Changes& changes);

}  // namespace assay::journal
