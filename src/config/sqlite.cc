#include "config/sqlite.h"

#include <fmt/format.h>

#include <cerrno>

namespace assay::config {

std::unexpected<Error> sqlite_error(sqlite3* database, std::string_view doing) {
  const int code = sqlite3_errcode(database) == SQLITE_BUSY ? EBUSY : 0;
  return system_error(code, fmt::format("{}: {}", doing, sqlite3_errmsg(database)));
}

Result<Statement> Statement::of(sqlite3* database, const char* sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database, sql, -1, &statement, nullptr) != SQLITE_OK)
    return sqlite_error(database, "ask the database");
  return Statement(database, statement);
}

void Statement::bind(int place, std::string_view text) {
  sqlite3_bind_text64(statement_.get(), place, text.data(), text.size(), SQLITE_TRANSIENT,
                      SQLITE_UTF8);
}

Result<bool> Statement::step() {
  switch (sqlite3_step(statement_.get())) {
    case SQLITE_ROW:
      return true;
    case SQLITE_DONE:
      return false;
    default:
      return sqlite_error(database_, "ask the database");
  }
}

std::string Statement::text(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return bytes == nullptr ? "" : std::string(bytes, static_cast<std::size_t>(size));
}

std::int64_t Statement::number(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

}  // namespace assay::config
