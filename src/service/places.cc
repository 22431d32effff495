#include "service/places.h"

#include <algorithm>
#include <thread>

namespace assay::service {
namespace {

std::vector<std::vector<unsigned>> cores_of(const Options& options) {
  if (!options.core_sets.empty()) return options.core_sets;
  const unsigned wanted =
      options.parallelism != 0 ? options.parallelism : std::thread::hardware_concurrency();
  std::vector<std::vector<unsigned>> anywhere;
  anywhere.resize(std::max(1U, wanted));
  return anywhere;
}

}  // namespace

// A client may name any number: capped, so that no sum of them wraps around to a small one.
Bytes memory_of(const exec::Request& request, Bytes default_memory) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 48U;
  Bytes sum{};
  for (const exec::Command& command : request.commands) {
    const std::uint64_t more = command.limits.memory.value_or(default_memory).count;
    sum.count = std::min(sum.count + std::min(more, kMost), kMost);
  }
  return sum;
}

Places::Places(const Options& options) : cores_(cores_of(options)), limit_(options.memory_limit) {
  for (std::size_t number = cores_.size(); number-- > 0;)
    free_.push_back(number);
}

bool Places::has_room_for(Bytes memory, std::size_t places) const {
  if (free_.size() < std::min(places, count())) return false;
  if (limit_.count == 0 || promised_.count == 0) return true;
  return promised_.count <= limit_.count && memory.count <= limit_.count - promised_.count;
}

std::vector<Place> Places::take(Bytes memory, std::size_t places) {
  std::vector<Place> taken;
  if (!has_room_for(memory, places)) return taken;
  take_memory(memory);
  while (taken.size() < places && !free_.empty()) {
    taken.push_back({.number = free_.back(), .cores = cores_[free_.back()]});
    free_.pop_back();
  }
  return taken;
}

void Places::give_back(const std::vector<Place>& places, Bytes memory) {
  for (const Place& place : places)
    free_.push_back(place.number);
  give_back_memory(memory);
}

}  // namespace assay::service
