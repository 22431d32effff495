#include "journal/schema.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>

#include "os/file.h"

namespace assay::journal {
namespace {

using sqlite::Statement;

constexpr std::int64_t kApplication = 0x61736A6C;  // "asjl": what the file says that it is
constexpr std::int64_t kCheckedPages = 65'536;     // a larger file is only checked as it is read

constexpr std::array kSteps = {
    // `order_form` goes when there is a result. `deliver`: somebody is still to be told.
    R"(
  CREATE TABLE submissions(
    key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, digest TEXT NOT NULL,
    problem INTEGER, files INTEGER NOT NULL DEFAULT 0, order_form BLOB, result BLOB,
    received INTEGER NOT NULL, finished INTEGER);
  CREATE INDEX unfinished ON submissions(key) WHERE result IS NULL;
  CREATE INDEX finished ON submissions(finished) WHERE result IS NOT NULL;
  CREATE TABLE problems(
    key INTEGER PRIMARY KEY, id TEXT NOT NULL, digest TEXT NOT NULL,
    is_current INTEGER NOT NULL, files INTEGER NOT NULL DEFAULT 0, form BLOB NOT NULL);
  CREATE UNIQUE INDEX current_problem ON problems(id) WHERE is_current = 1;
)",
    R"(
  ALTER TABLE submissions ADD COLUMN deliver INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX undelivered ON submissions(key) WHERE deliver = 1;
  CREATE INDEX old_problems ON problems(key) WHERE is_current = 0;
  CREATE INDEX judged_by ON submissions(problem) WHERE result IS NULL;
)",
};

Result<std::int64_t> number(sqlite3* database, const char* question) {
  Statement ask = TRY(Statement::of(database, question));
  const bool found = TRY(ask.step());
  return found ? ask.number(0) : 0;
}

std::unexpected<Error> damaged(std::string why) {
  return system_error(EUCLEAN, std::move(why));
}

Status check(sqlite3* database) {
  if (TRY(number(database, "PRAGMA page_count")) > kCheckedPages) return {};
  Statement ask = TRY(Statement::of(database, "PRAGMA quick_check(1)"));
  const bool found = TRY(ask.step());
  const std::string answer = found ? ask.text(0) : "no answer";
  if (answer != "ok") return damaged(answer);
  return {};
}

Status take_step(sqlite3* database, std::int64_t version) {
  TRY_STATUS(sqlite::run(database, "BEGIN IMMEDIATE"));
  Status done = sqlite::run(database, kSteps.at(static_cast<std::size_t>(version)));
  if (done)
    done = sqlite::run(database, fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                                             kApplication, version + 1)
                                     .c_str());
  if (done) done = sqlite::run(database, "COMMIT");
  if (!done) (void)sqlite::run(database, "ROLLBACK");
  return done;
}

}  // namespace

int newest_version() {
  return static_cast<int>(kSteps.size());
}

Status make_current(sqlite3* database) {
  const std::int64_t application = TRY(number(database, "PRAGMA application_id"));
  const std::int64_t tables = TRY(number(database, "SELECT count(*) FROM sqlite_master"));
  std::int64_t version = TRY(number(database, "PRAGMA user_version"));
  if (tables > 0 && application != kApplication) return damaged("it is no journal of ours");
  if (version > newest_version())
    return invalid(fmt::format("it was written by a newer assay (form {}, this one knows {})",
                               version, newest_version()));
  if (tables > 0) TRY_STATUS(check(database));
  for (; version < newest_version(); ++version)
    TRY_STATUS(take_step(database, version));
  return {};
}

Result<std::string> move_aside(const std::string& directory) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto stamp = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  const std::string name = fmt::format("{}.damaged-{}", kFileName, stamp);
  // The log first: without the file it means nothing, but a new file must not find it.
  for (const char* part : {"-wal", "-shm", ""}) {
    const std::string from = fmt::format("{}/{}{}", directory, kFileName, part);
    const std::string to = fmt::format("{}/{}{}", directory, name, part);
    if (std::rename(from.c_str(), to.c_str()) < 0 && errno != ENOENT)
      return system_error(fmt::format("move '{}' aside", from));
  }
  const std::string pins = directory + "/pins";  // of its records
  if (std::rename(pins.c_str(), fmt::format("{}.damaged-{}", pins, stamp).c_str()) < 0 &&
      errno != ENOENT)
    return system_error(fmt::format("move '{}' aside", pins));
  return directory + "/" + name;
}

}  // namespace assay::journal
