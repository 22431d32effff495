#include "config/database.h"

#include <fmt/format.h>

#include <algorithm>

#include "sandbox/profile.h"
#include "sqlite/sqlite.h"

namespace assay::config {
namespace {

using sqlite::Statement;

constexpr int kPatience = 2000;  // milliseconds to wait for another writer

// A row's version is the counter's when it was written, so that no text ever has the version of
// another, not even after it was removed and put back.
constexpr const char* kSchema = R"(
  CREATE TABLE IF NOT EXISTS counter(one INTEGER PRIMARY KEY CHECK (one = 1), value INTEGER NOT NULL);
  INSERT OR IGNORE INTO counter VALUES (1, 0);
  CREATE TABLE IF NOT EXISTS entries(
    kind TEXT NOT NULL CHECK (kind IN ('language', 'profile', 'policy')),
    name TEXT NOT NULL, text TEXT NOT NULL, version INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (kind, name));
  CREATE TRIGGER IF NOT EXISTS entry_added AFTER INSERT ON entries BEGIN
    UPDATE counter SET value = value + 1;
    UPDATE entries SET version = (SELECT value FROM counter) WHERE kind = new.kind AND name = new.name;
  END;
  CREATE TRIGGER IF NOT EXISTS entry_changed AFTER UPDATE OF kind, name, text ON entries BEGIN
    UPDATE counter SET value = value + 1;
    UPDATE entries SET version = (SELECT value FROM counter) WHERE kind = new.kind AND name = new.name;
  END;
  CREATE TRIGGER IF NOT EXISTS entry_removed AFTER DELETE ON entries BEGIN
    UPDATE counter SET value = value + 1;
  END;
)";

Result<Kind> kind_named(std::string_view name) {
  for (const Kind kind : {Kind::Language, Kind::Profile, Kind::Policy})
    if (name_of(kind) == name) return kind;
  return invalid(fmt::format("the database has an entry of unknown kind '{}'", name));
}

}  // namespace

struct Database::Parts {
  std::string path{};
  sqlite::Handle handle{};
};

Database::Database(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Database::~Database() = default;

Result<std::unique_ptr<Database>> Database::open(const std::string& path, Access access) {
  const bool writes = access == Access::Write;
  const int flags = writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  sqlite::Handle opened = TRY(sqlite::open(path, flags | SQLITE_OPEN_FULLMUTEX, kPatience));
  sqlite3* handle = opened.get();
  auto parts = std::make_unique<Parts>(Parts{path, std::move(opened)});
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 2 * static_cast<int>(kLargestText));
  auto database = std::unique_ptr<Database>(new Database(std::move(parts)));
  if (writes) TRY_STATUS(database->run(kSchema));
  if (const auto version = database->version(); !version)
    return system_error(
        0, fmt::format("'{}' is no database of languages: {}", path, describe(version.error())));
  return database;
}

Status Database::run(const char* sql) {
  if (sqlite3_exec(parts_->handle.get(), sql, nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return sqlite::error(parts_->handle.get(), fmt::format("write '{}'", parts_->path));
}

Result<std::string> Database::version() {
  Statement ask = TRY(Statement::of(parts_->handle.get(), "SELECT value FROM counter"));
  const bool found = TRY(ask.step());
  return std::to_string(found ? ask.number(0) : 0);
}

Result<std::vector<EntryId>> Database::list() {
  Statement ask =
      TRY(Statement::of(parts_->handle.get(), "SELECT kind, name, version FROM entries"));
  std::vector<EntryId> all;
  while (TRY(ask.step())) {
    EntryId id{TRY(kind_named(ask.text(0))), ask.text(1), std::to_string(ask.number(2))};
    if (!sandbox::is_profile_name(id.name))
      return invalid(
          fmt::format("the database has a {} with a name that is none", name_of(id.kind)));
    all.push_back(std::move(id));
  }
  std::ranges::sort(all);
  return all;
}

Result<std::string> Database::text(const EntryId& id) {
  Statement ask = TRY(Statement::of(parts_->handle.get(),
                                    "SELECT text FROM entries WHERE kind = ?1 AND name = ?2"));
  ask.bind(1, name_of(id.kind));
  ask.bind(2, id.name);
  const bool found = TRY(ask.step());
  if (!found) return system_error(0, fmt::format("{} is gone", place(id)));
  return ask.text(0);
}

std::string Database::place(const EntryId& id) const {
  return fmt::format("{}:{}/{}", parts_->path, name_of(id.kind), id.name);
}

Status Database::put(Kind kind, const std::string& name, std::string_view text) {
  if (!sandbox::is_profile_name(name))
    return invalid(fmt::format("'{}' is no name of a {}", name, name_of(kind)));
  if (text.size() > kLargestText)
    return invalid(fmt::format("the text of '{}' is too large", name));
  Statement write =
      TRY(Statement::of(parts_->handle.get(),
                        "INSERT INTO entries(kind, name, text) VALUES (?1, ?2, ?3) "
                        "ON CONFLICT (kind, name) DO UPDATE SET text = excluded.text"));
  write.bind(1, name_of(kind));
  write.bind(2, name);
  write.bind(3, text);
  const auto done = write.step();
  return done ? Status{} : Status(std::unexpected(done.error()));
}

Status Database::remove(Kind kind, const std::string& name) {
  Statement write =
      TRY(Statement::of(parts_->handle.get(), "DELETE FROM entries WHERE kind = ?1 AND name = ?2"));
  write.bind(1, name_of(kind));
  write.bind(2, name);
  const auto done = write.step();
  return done ? Status{} : Status(std::unexpected(done.error()));
}

Status Database::take_over_all(Source& other) {
  for (const EntryId& id : TRY(other.list())) {
    const std::string text = TRY(other.text(id));
    TRY_STATUS(put(id.kind, id.name, text));
  }
  return {};
}

Status Database::take_over(Source& other) {
  TRY_STATUS(run("BEGIN IMMEDIATE"));
  const Status done = take_over_all(other);
  const Status ended = run(done ? "COMMIT" : "ROLLBACK");
  return done ? ended : done;
}

}  // namespace assay::config
