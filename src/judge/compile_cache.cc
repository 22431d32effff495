#include "judge/compile_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "judge/content.h"
#include "os/file.h"
#include "store/digest.h"
#include "store/id.h"
#include "store/packing.h"

namespace assay::judge {
namespace {

constexpr std::size_t kLargestEntry = std::size_t{1} << 20;

}  // namespace

Result<CompileCache> CompileCache::open(CompileCacheOptions options) {
  if (options.directory.empty()) return invalid("the compile cache needs a directory");
  auto store = store::Store::open(
      {.directory = options.directory + "/store", .quota = options.quota, .durable = false});
  if (!store)
    return std::unexpected(Error{store.error().fault, store.error().code,
                                 "the compile cache: " + store.error().context});
  const std::string index = options.directory + "/index";
  TRY_STATUS(os::make_directory(index, 0700));
  os::OwnedFd directory = TRY(os::open(index, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  return CompileCache(std::move(options), *std::move(store), std::move(directory));
}

Result<std::optional<CompileEntry>> CompileCache::read_entry(const std::string& key) const {
  const auto file = os::open_at(index_.get(), key, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (!file && file.error().code == ENOENT) return std::nullopt;
  if (!file && file.error().code != ELOOP) return std::unexpected(file.error());
  std::optional<CompileEntry> entry;
  if (file) entry = decode_entry(TRY(os::read_from_start(file->get(), kLargestEntry)));
  if (!entry) ::unlinkat(index_.get(), key.c_str(), 0);
  return entry;
}

Result<std::optional<Kept>> CompileCache::find(const std::string& key) {
  auto entry = TRY(read_entry(key));
  if (!entry) return std::nullopt;
  Kept kept{.entry = *std::move(entry)};
  for (const KeptFile& file : kept.entry.files) {
    auto opened = store_.get(file.id);
    if (!opened && opened.error().fault != Fault::NotFound)
      return std::unexpected(std::move(opened).error());
    if (!opened || opened->size != file.size) {
      evict(key, kept.entry);
      return std::nullopt;
    }
    kept.files.push_back(std::move(opened->file));
  }
  return kept;
}

std::unexpected<Error> CompileCache::tampered(const KeptFile& file) const {
  return system_error(
      EBADMSG, fmt::format("somebody changed '{}' in the compile cache '{}'; clean it with 'assay "
                           "cache verify' or 'assay cache clear'",
                           file.name, options_.directory));
}

Result<std::string> CompileCache::text(const Kept& kept, std::size_t index) const {
  const KeptFile& file = kept.entry.files[index];
  std::string text = TRY(os::read_from_start(kept.files[index].get(), file.size.count));
  if (options_.check_integrity && store::digest_of(text) != file.digest) return tampered(file);
  return text;
}

Result<os::OwnedFd> CompileCache::sealed(const Kept& kept, std::size_t index) const {
  const KeptFile& file = kept.entry.files[index];
  os::OwnedFd copy = TRY(nameless_file());
  store::Sha256 hash;
  TRY_STATUS(store::read_through(kept.files[index].get(), [&](std::string_view bytes) {
    if (options_.check_integrity) hash.update(bytes);
    return os::write_all(copy.get(), bytes);
  }));
  if (options_.check_integrity && hash.finish() != file.digest) return tampered(file);
  TRY_STATUS(seal(copy.get()));
  return copy;
}

Result<CompileEntry> CompileCache::store_all(const CompileResult& result,
                                             std::vector<NewFile> files) {
  CompileEntry entry{.result = result};
  for (NewFile& file : files) {
    KeptFile kept{.name = file.name, .executable = file.executable};
    const bool is_text = !file.scratch.is_open();
    kept.size = is_text ? Bytes{file.content.size()} : TRY(size_of(file.scratch.get()));
    kept.digest =
        is_text ? store::digest_of(file.content) : TRY(store::digest_of_file(file.scratch.get()));
    auto id = is_text ? store_.add("", file.content) : store_.keep("", std::move(file.scratch));
    if (!id) {
      drop_files(entry);
      return std::unexpected(std::move(id).error());
    }
    kept.id = *std::move(id);
    entry.files.push_back(std::move(kept));
  }
  return entry;
}

// A link never takes another's place: an entry that is there names files of its own, which nobody
// would remove any more.
Result<bool> CompileCache::publish(const std::string& key, const CompileEntry& entry) {
  const std::string draft = ".draft-" + TRY(store::make_id());
  const os::OwnedFd file =
      TRY(os::open_at(index_.get(), draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600));
  const Status written = os::write_all(file.get(), encode(entry));
  const bool placed =
      written && ::linkat(index_.get(), draft.c_str(), index_.get(), key.c_str(), 0) == 0;
  const int code = errno;
  ::unlinkat(index_.get(), draft.c_str(), 0);
  if (!written) return std::unexpected(written.error());
  if (!placed && code != EEXIST) return system_error(code, "write an entry of the compile cache");
  return placed;
}

Status CompileCache::keep(const std::string& key, const CompileResult& result,
                          std::vector<NewFile> files) {
  const CompileEntry entry = TRY(store_all(result, std::move(files)));
  const auto placed = publish(key, entry);
  if (!placed || !*placed) drop_files(entry);
  if (!placed) return std::unexpected(placed.error());
  // Now and then, so that entries whose files had to make room do not pile up.
  if (key.starts_with("00")) return sweep();
  return {};
}

void CompileCache::drop_files(const CompileEntry& entry) {
  for (const KeptFile& file : entry.files)
    (void)store_.remove(file.id);  // whoever was faster has done it
}

void CompileCache::evict(const std::string& key, const CompileEntry& entry) {
  ::unlinkat(index_.get(), key.c_str(), 0);
  drop_files(entry);
}

}  // namespace assay::judge
