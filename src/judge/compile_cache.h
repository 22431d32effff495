// Results of compilations in a directory, for every process that uses it:
//
//   store/     the files (store.h), so that equal ones are kept once and the oldest go first
//   index/KEY  one small file per result (compile_entry.h), put in place whole
//
// An entry whose files are not all there is no entry: whatever is removed, by whomever and
// whenever, is compiled again. Nothing but files is ever removed: no directory, no lock.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "judge/compile_entry.h"
#include "store/store.h"

namespace assay::judge {

struct CompileCacheOptions {
  std::string directory{};  // made when missing
  Bytes quota = 2_GiB;      // of the files; those not used for longest go first
  bool check_integrity = true;
};

// A file to keep: bytes, or a scratch file of the cache.
struct NewFile {
  std::string name{};
  bool executable = false;
  std::string_view content{};
  os::OwnedFd scratch{};
};

// An entry with its files held open: they stay readable, whoever clears the cache.
struct Kept {
  CompileEntry entry{};
  std::vector<os::OwnedFd> files{};
};

class CompileCache {
 public:
  static Result<CompileCache> open(CompileCacheOptions options);

  // Nothing: there is no such result, or not all of it any more, and then it is gone from now on.
  Result<std::optional<Kept>> find(const std::string& key);
  // What is in a file. An Error says that it is not what was kept, and what to do about it.
  [[nodiscard]] Result<std::string> text(const Kept& kept, std::size_t index) const;
  [[nodiscard]] Result<os::OwnedFd> sealed(const Kept& kept, std::size_t index) const;

  Result<os::OwnedFd> scratch() { return store_.scratch(); }
  // Of two who keep the same at once, the first one's stays.
  Status keep(const std::string& key, const CompileResult& result, std::vector<NewFile> files);

  struct Size {
    std::uint64_t entries = 0;
    std::uint64_t files = 0;
    Bytes bytes{};  // of the files as stored, each content once
  };
  Result<Size> size();

  // Removes all results, also those that others add meanwhile, as far as it sees them.
  Status clear();

  struct Check {
    std::uint64_t good = 0;  // entries
    std::uint64_t bad = 0;   // removed: damaged, or a file of theirs is damaged or gone
  };
  Result<Check> verify();

  [[nodiscard]] const std::string& directory() const { return options_.directory; }

 private:
  CompileCache(CompileCacheOptions options, store::Store store, os::OwnedFd index)
      : options_(std::move(options)), store_(std::move(store)), index_(std::move(index)) {}
  [[nodiscard]] Result<std::optional<CompileEntry>> read_entry(const std::string& key) const;
  Result<bool> publish(const std::string& key, const CompileEntry& entry);
  Result<CompileEntry> store_all(const CompileResult& result, std::vector<NewFile> files);
  void evict(const std::string& key, const CompileEntry& entry);
  void drop_files(const CompileEntry& entry);
  Status sweep();
  [[nodiscard]] std::unexpected<Error> tampered(const KeptFile& file) const;

  CompileCacheOptions options_;
  store::Store store_;
  os::OwnedFd index_;
};

}  // namespace assay::judge
