// What languages want made ahead (Language::warmth), such as precompiled headers: made once, in a
// box like everything else, and given to compilations as a file that nobody can change.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "judge/compile_cache.h"
#include "judge/compile_key.h"

namespace assay::judge {

// Sealed, in memory, and readable by everybody who has it.
using WarmFile = std::shared_ptr<const os::OwnedFd>;

class WarmFiles {
 public:
  // Both must outlive it. Without a cache, what was made goes with this process.
  WarmFiles(sandbox::Sandbox& engine, CompileCache* cache) : engine_(engine), cache_(cache) {}

  // Nothing when the compilation would not profit, when it is not made yet and not worth making, or
  // when somebody is making it at this moment: then the compilation goes without. An Error: what
  // was kept has been changed.
  Result<WarmFile> find(const CompileOrder& order, const ProfileStamps& profiles,
                        Cancellation& cancellation);

  // Makes it now. Nothing when the language has none, or it cannot be made.
  Result<WarmFile> make(const Language& language, std::span<const std::string> flags,
                        const ProfileStamps& profiles, Cancellation& cancellation);

  [[nodiscard]] std::uint64_t made() const;

 private:
  struct Known {
    WarmFile file{};
    unsigned wanted = 0;
    bool busy = false;
    bool failed = false;
    std::uint64_t used = 0;
  };
  struct Plan {
    const Warmth& warmth;
    Invocation step{};
    std::string key{};
  };
  [[nodiscard]] std::optional<Plan> plan(const Language& language,
                                         std::span<const std::string> flags,
                                         const ProfileStamps& profiles) const;
  Result<WarmFile> get(const Plan& plan, bool worth_it, Cancellation& cancellation);
  bool begin(Known& known, bool worth_it);
  Result<WarmFile> load_or_build(const Plan& plan, Cancellation& cancellation);
  Result<WarmFile> build(const Plan& plan, Cancellation& cancellation);
  Result<WarmFile> keep(const Plan& plan, os::OwnedFd file);
  void forget_oldest();

  sandbox::Sandbox& engine_;
  CompileCache* cache_;
  mutable std::mutex mutex_;
  std::map<std::string, Known> known_;  // by key
  std::uint64_t uses_ = 0;
  std::uint64_t made_ = 0;
};

}  // namespace assay::judge
