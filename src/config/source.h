// Where languages, profiles and policies come from: texts with names, and a way to see that some of
// them changed. What they mean is catalogue.h's business, so that every source says the same things
// in the same words. One thread at a time uses a source.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay::config {

enum class Kind { Language, Profile, Policy };
constexpr std::size_t kKinds = 3;
std::string_view name_of(Kind kind);  // "language"

struct EntryId {
  Kind kind = Kind::Language;
  std::string name{};     // [a-z0-9][a-z0-9_-]*
  std::string version{};  // another text has another; never looked into
  auto operator<=>(const EntryId&) const = default;
};

constexpr std::size_t kLargestText = 1 << 20;

class Source {
 public:
  virtual ~Source() = default;
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  Source(Source&&) = delete;
  Source& operator=(Source&&) = delete;

  // Cheap: asked before every job. As long as it is the same, so is everything else.
  virtual Result<std::string> version() = 0;
  virtual Result<std::vector<EntryId>> list() = 0;  // sorted
  virtual Result<std::string> text(const EntryId& id) = 0;
  // For complaints: where the text of an entry is, so that somebody finds and mends it.
  [[nodiscard]] virtual std::string place(const EntryId& id) const = 0;
};

}  // namespace assay::config
