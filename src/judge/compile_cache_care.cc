// Looking after a compile cache: how large it is, emptying it, finding what is damaged.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <set>

#include "judge/compile_cache.h"
#include "store/cleaning.h"
#include "store/digest.h"

namespace assay::judge {
namespace {

// A draft that is older than this was left by somebody who died.
constexpr std::chrono::minutes kNobodyWritesThatSlowly{10};

void remove_old_draft(int index, const std::string& name) {
  struct stat state{};
  if (::fstatat(index, name.c_str(), &state, AT_SYMLINK_NOFOLLOW) < 0) return;
  const auto age =
      std::chrono::system_clock::now() - std::chrono::system_clock::from_time_t(state.st_mtime);
  if (age > kNobodyWritesThatSlowly) ::unlinkat(index, name.c_str(), 0);
}

}  // namespace

Result<CompileCache::Size> CompileCache::size() {
  Size size;
  for (const std::string& name : store::names_in(index_.get()))
    if (store::is_digest(name)) ++size.entries;
  const store::Totals totals = store_.totals();
  size.files = totals.files;
  size.bytes = totals.bytes;
  return size;
}

Status CompileCache::clear() {
  for (const std::string& name : store::names_in(index_.get()))
    if (store::is_digest(name) && ::unlinkat(index_.get(), name.c_str(), 0) < 0 && errno != ENOENT)
      return system_error("remove an entry of the compile cache");
  for (const store::Listed& file : store_.list()) {
    const Status removed = store_.remove(file.id);
    if (!removed && removed.error().fault != Fault::NotFound) return removed;
  }
  return {};
}

Status CompileCache::sweep() {
  std::set<std::string> there;
  for (const store::Listed& file : store_.list())
    there.insert(file.id);
  for (const std::string& name : store::names_in(index_.get())) {
    if (name.starts_with(".draft-")) remove_old_draft(index_.get(), name);
    if (!store::is_digest(name)) continue;
    const auto entry = TRY(read_entry(name));
    if (!entry) continue;
    for (const KeptFile& file : entry->files)
      if (!there.contains(file.id)) ::unlinkat(index_.get(), name.c_str(), 0);
  }
  return {};
}

Result<CompileCache::Check> CompileCache::verify() {
  (void)TRY(store_.check());  // what is damaged is not there afterwards
  Check check;
  for (const std::string& name : store::names_in(index_.get())) {
    if (name.starts_with(".draft-")) remove_old_draft(index_.get(), name);
    if (!store::is_digest(name)) continue;
    const auto kept = TRY(find(name));
    bool good = kept.has_value();
    for (std::size_t i = 0; good && i < kept->files.size(); ++i)
      good = TRY(store::digest_of_file(kept->files[i].get())) == kept->entry.files[i].digest;
    if (kept && !good) evict(name, kept->entry);
    ++(good ? check.good : check.bad);
  }
  return check;
}

}  // namespace assay::judge
