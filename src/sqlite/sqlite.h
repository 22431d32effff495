// SQLite, as far as we need it: a handle with one owner and statements that are run once. Nothing
// here knows what is stored.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace assay::sqlite {

struct Close {
  void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Handle = std::unique_ptr<sqlite3, Close>;

// `flags`: SQLITE_OPEN_*. Waits up to `patience_ms` for another writer.
Result<Handle> open(const std::string& path, int flags, int patience_ms);

Status run(sqlite3* database, const char* sql);  // any number of statements, without rows

// One prepared statement, run once.
class Statement {
 public:
  static Result<Statement> of(sqlite3* database, const char* sql);

  void bind(int place, std::string_view text);
  void bind(int place, std::int64_t number);
  void bind_blob(int place, std::string_view bytes);  // borrowed until the statement has run
  Result<bool> step();                                // whether there is a row
  Status finish();                                    // a step that gives none
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] std::int64_t number(int column) const;
  [[nodiscard]] bool is_null(int column) const;

 private:
  Statement(sqlite3* database, sqlite3_stmt* statement)
      : database_(database), statement_(statement) {}

  sqlite3* database_;
  std::unique_ptr<sqlite3_stmt, Close> statement_;
};

// With errno's word for what SQLite calls busy, full or damaged (EBUSY, ENOSPC, EUCLEAN).
std::unexpected<Error> error(sqlite3* database, std::string_view doing);

}  // namespace assay::sqlite
