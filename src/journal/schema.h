// The journal's file: what it looks like, and whether a file is one. Private to this room.
#pragma once

#include <string>

#include "sqlite/sqlite.h"

namespace assay::journal {

constexpr const char* kFileName = "journal.db";

// Steps from an empty file to what this version writes; a file's version is how many were taken.
// They are never changed, only added to.
int newest_version();

// Makes the file what this version knows. EUCLEAN: it is damaged, or no journal. A file of a newer
// version is an InvalidRequest: it is left as it is.
Status make_current(sqlite3* database);

// Moves the file and what belongs to it aside; the new name.
Result<std::string> move_aside(const std::string& directory);

}  // namespace assay::journal
