#include "sqlite/sqlite.h"

#include <fmt/format.h>

#include <cerrno>

namespace assay::sqlite {
namespace {

int errno_of(int code) {
  switch (code & 0xff) {  // the rest is detail
    case SQLITE_BUSY:
      return EBUSY;
    case SQLITE_FULL:
      return ENOSPC;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return EUCLEAN;
    default:
      return 0;
  }
}

}  // namespace

std::unexpected<Error> error(sqlite3* database, std::string_view doing) {
  const int code = errno_of(sqlite3_errcode(database));
  return system_error(code, fmt::format("{}: {}", doing, sqlite3_errmsg(database)));
}

Result<Handle> open(const std::string& path, int flags, int patience_ms) {
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &opened, flags, nullptr);
  Handle handle(opened);
  if (code != SQLITE_OK) return error(opened, fmt::format("open '{}'", path));
  sqlite3_busy_timeout(opened, patience_ms);
  return handle;
}

Status run(sqlite3* database, const char* sql) {
  if (sqlite3_exec(database, sql, nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return error(database, "write the database");
}

Result<Statement> Statement::of(sqlite3* database, const char* sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database, sql, -1, &statement, nullptr) != SQLITE_OK)
    return error(database, "ask the database");
  return Statement(database, statement);
}

void Statement::bind(int place, std::string_view text) {
  sqlite3_bind_text64(statement_.get(), place, text.data(), text.size(), SQLITE_TRANSIENT,
                      SQLITE_UTF8);
}

void Statement::bind(int place, std::int64_t number) {
  sqlite3_bind_int64(statement_.get(), place, number);
}

void Statement::bind_blob(int place, std::string_view bytes) {
  // A null pointer would be NULL, which is not the same as nothing.
  sqlite3_bind_blob64(statement_.get(), place, bytes.empty() ? "" : bytes.data(), bytes.size(),
                      SQLITE_STATIC);
}

Result<bool> Statement::step() {
  switch (sqlite3_step(statement_.get())) {
    case SQLITE_ROW:
      return true;
    case SQLITE_DONE:
      return false;
    default:
      return error(database_, "ask the database");
  }
}

Status Statement::finish() {
  (void)TRY(step());
  return {};
}

std::string Statement::text(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return bytes == nullptr ? "" : std::string(bytes, static_cast<std::size_t>(size));
}

std::int64_t Statement::number(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

}  // namespace assay::sqlite
