// Where the command line keeps what it compiled, and whether.
#pragma once

#include <string>

#include "judge/compilers.h"

namespace assay::cli {

struct CachePlace {
  judge::CacheLevel level = judge::CacheLevel::Compilation;
  std::string directory{};
  bool chosen = false;  // by the user: then it must work
};

// /var/cache/assay for root, else $XDG_CACHE_HOME/assay, else ~/.cache/assay; empty: nowhere.
std::string default_cache_directory();

// What the options say, made ready while we may: a directory that root makes belongs to the user
// that root becomes for the work. An existing one is left as it is.
Result<CachePlace> cache_place(const std::string& directory, const std::string& level);

// After privileges are gone. A place that nobody chose and that does not work is done without, with
// a line on stderr.
Result<std::unique_ptr<judge::Compilers>> open_compilers(sandbox::Sandbox& engine,
                                                         const CachePlace& place,
                                                         judge::ProfileStamps profiles);

}  // namespace assay::cli
