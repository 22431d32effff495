// `assay cache`: how large the compile cache is, emptying it, looking for damage. Done without
// privilege, as everything else in it is.
#include <fmt/format.h>

#include <cstdio>

#include "app/cli/cache_place.h"
#include "app/cli/commands.h"
#include "app/cli/json_text.h"
#include "app/cli/unprivileged.h"
#include "os/file.h"

namespace assay::cli {
namespace {

using judge::CompileCache;

std::string size_text(const std::string& directory, const CompileCache::Size& size, bool json) {
  if (json)
    return fmt::format(R"({{"directory":{},"results":{},"files":{},"bytes":{}}})"
                       "\n",
                       json_quoted(directory), size.entries, size.files, size.bytes.count);
  return fmt::format("{}: {} results, {} files, {}\n", directory, size.entries, size.files,
                     format_bytes(size.bytes));
}

Result<int> show_size(CompileCache& cache, bool json) {
  std::fputs(size_text(cache.directory(), TRY(cache.size()), json).c_str(), stdout);
  return kGood;
}

Result<int> clear(CompileCache& cache, bool json) {
  const CompileCache::Size before = TRY(cache.size());
  TRY_STATUS(cache.clear());
  const std::string text =
      json ? fmt::format(R"({{"directory":{},"removedResults":{},"removedBytes":{}}})"
                         "\n",
                         json_quoted(cache.directory()), before.entries, before.bytes.count)
           : fmt::format("{}: {} results removed, {}\n", cache.directory(), before.entries,
                         format_bytes(before.bytes));
  std::fputs(text.c_str(), stdout);
  return kGood;
}

Result<int> verify(CompileCache& cache, bool json) {
  const CompileCache::Check check = TRY(cache.verify());
  const std::string text =
      json ? fmt::format(R"({{"directory":{},"good":{},"bad":{}}})"
                         "\n",
                         json_quoted(cache.directory()), check.good, check.bad)
           : fmt::format("{}: {} results are good, {} were damaged and are removed\n",
                         cache.directory(), check.good, check.bad);
  std::fputs(text.c_str(), stdout);
  return check.bad == 0 ? kGood : kNotGood;
}

struct Action {
  std::string_view name;
  Result<int> (*act)(CompileCache& cache, bool json);
};
constexpr Action kActions[] = {{"size", show_size}, {"clear", clear}, {"verify", verify}};

int act_on(const Action& action, const std::string& directory, bool json) {
  auto cache = CompileCache::open({.directory = directory});
  if (!cache) return failed(describe(cache.error()));
  const auto code = action.act(*cache, json);
  return code ? *code : failed(describe(code.error()));
}

}  // namespace

int cache(const CacheCommand& command) {
  const Action* action = nullptr;
  for (const Action& known : kActions)
    if (known.name == command.action) action = &known;
  if (action == nullptr)
    return failed("there is no 'cache " + command.action + "'; there are size, clear and verify");
  const std::string directory =
      command.directory.empty() ? default_cache_directory() : command.directory;
  if (directory.empty()) return failed("where is the cache? Say --cache");
  if (!os::exists(directory)) {
    if (!command.directory.empty()) return failed("there is no cache '" + directory + "'");
    std::fputs(size_text(directory, {}, command.json).c_str(), stdout);  // nothing was kept yet
    return kGood;
  }
  // What root would make in there, the others could not use.
  const auto code = run_unprivileged(Afterwards::NeedsNone,
                                     [&] { return act_on(*action, directory, command.json); });
  return code ? *code : failed(describe(code.error()));
}

}  // namespace assay::cli
