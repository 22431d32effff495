// Who has to go when the store is full or files are too old: the one that was not used for longest.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <vector>

#include "base/units.h"
#include "store/shelf.h"

namespace assay::store {

class Evictor {
 public:
  Evictor(Bytes quota, std::chrono::seconds timeout) : quota_(quota), timeout_(timeout) {}

  void make_room(Shelf& shelf, const std::string& spared);  // after `spared` was added
  void expire(Shelf& shelf);
  void count(Shelf& shelf);  // all of it, so that the quota holds over what others added as well

 private:
  void count_locked(Shelf& shelf);
  void evict_locked(Shelf& shelf, const std::string& spared);

  Bytes quota_;
  std::chrono::seconds timeout_;
  std::mutex mutex_;
  // Oldest last, as counted. Whatever was added or used since is younger than all of these, and a
  // file that was used since shows it by its time: so the order stays right without counting again.
  std::vector<Use> oldest_;
  std::atomic<std::chrono::steady_clock::time_point> next_count_{};
};

Bytes stored_once(const std::vector<Use>& uses);  // every content counted once

}  // namespace assay::store
