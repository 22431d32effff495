// What there is to lend: places to run in, with their cores, and memory. Not safe for threads: the
// desk's lock guards it.
#pragma once

#include <vector>

#include "service/service.h"

namespace assay::service {

Bytes memory_of(const exec::Request& request, Bytes default_memory);

struct Place {
  std::size_t number = 0;
  std::vector<unsigned> cores{};
};

class Places {
 public:
  explicit Places(const Options& options);

  // Nothing when no place is free or the memory is promised to others. What is larger than all
  // there is waits until nothing else runs, and then gets it.
  // Who wants more places than there are gets all.
  [[nodiscard]] bool has_room_for(Bytes memory, std::size_t places = 1) const;
  std::vector<Place> take(Bytes memory, std::size_t places = 1);  // empty: no room
  void give_back(const std::vector<Place>& places, Bytes memory);

  // For those that do not wait: memory is counted, no place is needed.
  void take_memory(Bytes memory) { promised_.count += memory.count; }
  void give_back_memory(Bytes memory) { promised_.count -= memory.count; }

  [[nodiscard]] std::size_t count() const { return cores_.size(); }
  [[nodiscard]] Bytes promised() const { return promised_; }

 private:
  std::vector<std::vector<unsigned>> cores_;  // by place
  std::vector<std::size_t> free_;             // a stack: the place used last is the warmest
  Bytes limit_;
  Bytes promised_{};
};

}  // namespace assay::service
