// What there is to lend: places to run in, with their cores, and memory. Not safe for threads: the
// desk's lock guards it.
#pragma once

#include <optional>
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
  [[nodiscard]] bool has_room_for(Bytes memory) const;
  std::optional<Place> take(Bytes memory);
  void give_back(const Place& place, Bytes memory);

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
