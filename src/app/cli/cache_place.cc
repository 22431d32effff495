#include "app/cli/cache_place.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "app/cli/commands.h"
#include "app/cli/unprivileged.h"
#include "os/file.h"

namespace assay::cli {
namespace {

using judge::CacheLevel;

bool is_on_disk(CacheLevel level) {
  return level == CacheLevel::Compilation || level == CacheLevel::All;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody changes them
  return value != nullptr ? value : "";
}

Status make_ready(const std::string& directory) {
  std::error_code error;
  const std::filesystem::path path(directory);
  std::filesystem::create_directories(path.parent_path(), error);
  if (::mkdir(directory.c_str(), 0700) < 0) {
    if (errno == EEXIST) return {};
    return system_error("make the cache '" + directory + "'");
  }
  if (::geteuid() != 0) return {};
  if (::lchown(directory.c_str(), kNobody, kNobody) < 0)
    return system_error("give the cache '" + directory + "' to the user it is used as");
  return {};
}

}  // namespace

std::string default_cache_directory() {
  if (::geteuid() == 0) return "/var/cache/assay";
  const std::string base = variable("XDG_CACHE_HOME");
  if (base.starts_with('/')) return base + "/assay";  // a relative one is to be ignored
  const std::string home = variable("HOME");
  return home.starts_with('/') ? home + "/.cache/assay" : "";
}

Result<CachePlace> cache_place(const std::string& directory, const std::string& level) {
  CachePlace place{.directory = directory, .chosen = !directory.empty()};
  const auto named = judge::cache_level_named(level);
  if (!named)
    return invalid("--cache-level is none, transient, compilation or all, not '" + level + "'");
  place.level = *named;
  if (!is_on_disk(place.level)) return place;
  if (place.directory.empty()) place.directory = default_cache_directory();
  if (place.directory.empty()) {
    place.level = CacheLevel::None;
    return place;
  }
  std::error_code error;
  place.directory = std::filesystem::absolute(place.directory, error).lexically_normal();
  const Status ready = make_ready(place.directory);
  if (!ready && place.chosen) return std::unexpected(ready.error());
  return place;
}

Result<std::unique_ptr<judge::Compilers>> open_compilers(sandbox::Sandbox& engine,
                                                         const CachePlace& place,
                                                         judge::ProfileStamps profiles) {
  judge::CompilersOptions options;
  options.level = place.level;
  options.cache.directory = place.directory;
  options.profiles = std::move(profiles);
  auto compilers = judge::Compilers::open(engine, options);
  if (compilers || place.chosen || !is_on_disk(place.level)) return compilers;
  (void)failed("without a cache: " + describe(compilers.error()));
  options.level = CacheLevel::None;
  return judge::Compilers::open(engine, std::move(options));
}

}  // namespace assay::cli
