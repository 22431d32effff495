// Files that outlive one request, by id. Bytes are kept once per content (SHA-256); an id is a
// handle that cannot be guessed and looks like go-judge's (8 or more of A-Z2-7). Safe for threads,
// and for several processes on one directory.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "os/fd.h"

namespace assay::store {

enum class Compression { None, Lz4, Zstd };

struct Options {
  std::string directory{};         // made when missing
  bool temporary = false;          // the directory goes with the store
  Bytes quota{};                   // of all blobs; 0: none. Oldest unused files go first
  std::chrono::seconds timeout{};  // a file not used for so long is removed; 0: never
  Compression compression = Compression::None;  // of large blobs on disk
  bool durable = true;  // what was added outlives a power cut; a cache need not wait for the disk
};

// A file of the store, held open: it stays readable, whatever happens to its id.
struct Opened {
  os::OwnedFd file{};  // read-only, at offset 0, plain bytes (unpacked if it was compressed)
  std::string name{};  // as given when it was added
  Bytes size{};
  std::chrono::system_clock::time_point modified{};
};

struct Listed {
  std::string id{};
  std::string name{};
  Bytes size{};
};

struct Totals {
  std::uint64_t files = 0;
  Bytes bytes{};  // as stored, each content once
};

class Store {
 public:
  static Result<Store> open(Options options);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  ~Store();

  // Somebody who counts: told the size of every file that gets an id. Before the first one.
  void when_added(std::function<void(Bytes)> told);

  Result<std::string> add(const std::string& name, std::string_view bytes);  // the id

  // An unnamed file in the store's own file system, for a writer that does not know yet what it
  // will write; keep() gives it an id without copying it.
  Result<os::OwnedFd> scratch();
  Result<std::string> keep(const std::string& name, os::OwnedFd file);

  Result<Opened> get(std::string_view id);  // NotFound when there is none; counts as use
  Status remove(std::string_view id);       // NotFound when there is none
  std::vector<Listed> list();               // sorted by id
  Totals totals();

  // Reads every blob and compares it with its digest; what does not match is moved aside, never
  // served.
  struct Check {
    std::uint64_t good = 0;          // contents
    std::vector<std::string> bad{};  // digests of those moved aside; their ids are NotFound now
  };
  Result<Check> check();

  void expire();  // what the timeout and the quota say is due; called now and then by the owner
  [[nodiscard]] const std::string& directory() const;

 private:
  struct Inside;
  explicit Store(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace assay::store
