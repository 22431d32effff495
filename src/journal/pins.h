// Files that records of the journal refer to, kept for them under names of its own: hard links
// where the file has a place on the same file system, copies otherwise. What becomes of the
// original does not matter to them.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "journal/lasting.h"
#include "os/fd.h"

namespace assay::journal {

using Key = std::int64_t;  // of a submission or a problem; rises with time, never used twice

class Pins {
 public:
  static Result<Pins> open(int directory);  // "pins" in it, made when missing

  Status keep(Key key, const Files& files, bool durable) const;  // all, or none
  [[nodiscard]] Result<os::OwnedFd> open_file(Key key, std::size_t number) const;
  void drop(Key key, std::size_t count) const;
  void drop_all_but(const std::set<Key>& keys) const;

 private:
  explicit Pins(os::OwnedFd place) : place_(std::move(place)) {}
  os::OwnedFd place_;
};

}  // namespace assay::journal
