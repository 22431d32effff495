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

bool Places::has_room_for(Bytes memory) const {
  if (free_.empty()) return false;
  if (limit_.count == 0 || promised_.count == 0) return true;
  return promised_.count <= limit_.count && memory.count <= limit_.count - promised_.count;
}

std::optional<Place> Places::take(Bytes memory) {
  if (!has_room_for(memory)) return std::nullopt;
  const std::size_t number = free_.back();
  free_.pop_back();
  take_memory(memory);
  return Place{.number = number, .cores = cores_[number]};
}

void Places::give_back(const Place& place, Bytes memory) {
  free_.push_back(place.number);
  give_back_memory(memory);
}

}  // namespace assay::service
