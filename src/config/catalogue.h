// The languages, profiles and policies that jobs are judged by. A job takes the set that is current
// when it begins and keeps it: what changes meanwhile is for the next.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "config/recent.h"
#include "config/source.h"
#include "judge/language_set.h"
#include "judge/test_limits.h"
#include "verdict/policy.h"

namespace assay::config {

struct Set {
  judge::LanguageSet languages{};
  // Only the default limits: what a box may see and call is for the warden to read, from files that
  // root owns, whatever a database says.
  judge::ProfileLimits profiles{};
  std::map<std::string, verdict::Policy, std::less<>> policies{};

  [[nodiscard]] Result<const verdict::Policy*> policy(std::string_view name) const;
};

// All texts of a source, or the first thing that is wrong with them and where.
using Texts = std::map<EntryId, std::string>;
Result<Set> parse_set(const Texts& texts, const Source& source);

struct CatalogueOptions {
  using Clock = std::chrono::steady_clock;
  Clock::duration lifetime = std::chrono::minutes(30);  // of a text, though its version is the same
  Clock::duration check_every = std::chrono::seconds(1);
  std::size_t most_kept = 8 << 20;  // bytes of texts
  // Told once for every change that cannot be used, and once when that is over.
  std::function<void(const std::string&)> say = [](const std::string&) {
  };
  std::function<Clock::time_point()> now = Clock::now;
};

class Catalogue {
 public:
  using Clock = CatalogueOptions::Clock;
  using Snapshot = std::shared_ptr<const Set>;

  // Fails when there is nothing to begin with.
  static Result<std::unique_ptr<Catalogue>> open(std::unique_ptr<Source> source,
                                                 CatalogueOptions options);

  // Looks for changes now and then. What cannot be read or makes no sense changes nothing: the set
  // before it stays. Safe from any thread; whoever comes while another looks gets the old set.
  Snapshot current();

  // How many texts were really read from the source.
  [[nodiscard]] std::size_t reads() const { return reads_; }

 private:
  Catalogue(std::unique_ptr<Source> source, CatalogueOptions options);
  Status refresh(Clock::time_point now);
  Result<Texts> texts(Clock::time_point now);
  Result<std::string> text(const EntryId& id, Clock::time_point now);
  void look(Clock::time_point now);
  Snapshot kept();

  std::unique_ptr<Source> source_;
  CatalogueOptions options_;
  std::mutex looking_;  // guards all but the set
  Recent<EntryId, std::string> recent_;
  std::optional<std::string> version_{};  // of what was parsed last
  Status outcome_{};                      // of parsing it
  std::string complaint_{};
  Clock::time_point looked_{}, read_{};
  std::size_t reads_ = 0;
  std::mutex mutex_;  // guards the set
  Snapshot set_{};
};

}  // namespace assay::config
