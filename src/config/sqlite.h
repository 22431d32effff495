// SQLite, as far as database.cc needs it. Private to this room.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace assay::config {

struct CloseSqlite {
  void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using SqliteHandle = std::unique_ptr<sqlite3, CloseSqlite>;

// One prepared statement, run once.
class Statement {
 public:
  static Result<Statement> of(sqlite3* database, const char* sql);

  void bind(int place, std::string_view text);
  Result<bool> step();  // whether there is a row
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] std::int64_t number(int column) const;

 private:
  Statement(sqlite3* database, sqlite3_stmt* statement)
      : database_(database), statement_(statement) {}

  sqlite3* database_;
  std::unique_ptr<sqlite3_stmt, CloseSqlite> statement_;
};

std::unexpected<Error> sqlite_error(sqlite3* database, std::string_view doing);

}  // namespace assay::config
