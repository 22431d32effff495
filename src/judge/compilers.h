// compile() with a memory: what was compiled before is not compiled again, what is being compiled
// is waited for, and languages that can be made warm are. For submissions and checkers alike, from
// any thread.
#pragma once

#include <atomic>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "judge/compile_cache.h"
#include "judge/compile_key.h"
#include "judge/warm_files.h"

namespace assay::judge {

// None: nothing is remembered. Transient: as long as this object lives. Compilation: in a
// directory. All: whatever may be remembered, which is the same: a run is measured, not remembered.
enum class CacheLevel { None, Transient, Compilation, All };
std::optional<CacheLevel> cache_level_named(std::string_view name);  // "none", "transient", …

struct CompilersOptions {
  CacheLevel level = CacheLevel::Compilation;
  CompileCacheOptions cache{};  // for Compilation and All
  ProfileStamps profiles{};     // of all that languages compile under
  bool warm = true;
  Bytes most_memory = 256_MiB;  // that Transient remembers
};

class Compilers {
 public:
  // The engine must outlive it.
  static Result<std::unique_ptr<Compilers>> open(sandbox::Sandbox& engine,
                                                 CompilersOptions options);
  ~Compilers();
  Compilers(const Compilers&) = delete;
  Compilers& operator=(const Compilers&) = delete;

  // As compile(). A failed compilation is forgotten at once, except by those who wait for it. An
  // Error may also say that somebody changed what was kept.
  Result<Compiled> compile(const CompileOrder& order, const verdict::Policy& policy,
                           Cancellation& cancellation);

  // Makes ahead what compilations of a language without extra flags want; true when it is there.
  Result<bool> warm_up(const Language& language, Cancellation& cancellation);

  struct Counts {
    std::uint64_t compilations = 0;  // that ran
    std::uint64_t hits = 0;
    std::uint64_t shared = 0;    // waited for somebody else's
    std::uint64_t warm = 0;      // of the compilations, those that had a warm file
    std::uint64_t not_kept = 0;  // the cache did not take them
  };
  [[nodiscard]] Counts counts() const;

 private:
  struct Flight;
  using Files = std::vector<ProgramFile>;
  struct Remembered {
    std::string key{};
    CompileResult result{};
    Files files{};
    Bytes size{};
  };
  Compilers(sandbox::Sandbox& engine, CompilersOptions options, std::optional<CompileCache> cache);
  [[nodiscard]] Result<std::string> key_of(const CompileOrder& order,
                                           const verdict::Policy& policy) const;
  Result<Compiled> lead(const std::string& key, const CompileOrder& order,
                        const verdict::Policy& policy, Cancellation& cancellation);
  Result<Compiled> compile_now(const CompileOrder& order, const verdict::Policy& policy,
                               Cancellation& cancellation);
  Result<std::optional<Compiled>> recall(const std::string& key, const CompileOrder& order);
  Result<std::optional<Remembered>> from_cache(const std::string& key);
  std::optional<Remembered> from_memory(const std::string& key);
  void remember(const std::string& key, const Compiled& compiled);
  void remember_here(const std::string& key, const Compiled& compiled);
  std::shared_ptr<Flight> board(const std::string& key, bool& leads);
  void land(const std::string& key, Flight& flight, const Result<Compiled>& result, bool cancelled);

  sandbox::Sandbox& engine_;
  CompilersOptions options_;
  std::optional<CompileCache> cache_;
  WarmFiles warm_files_;
  std::mutex mutex_;  // of the maps
  std::map<std::string, std::shared_ptr<Flight>> flights_;
  std::list<Remembered> remembered_;  // last used first
  Bytes remembered_size_{};
  std::atomic<std::uint64_t> compilations_ = 0, hits_ = 0, shared_ = 0, warm_ = 0, not_kept_ = 0;
};

}  // namespace assay::judge
