// What was used last, at most so much of it and for so long. Not safe for threads.
#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <map>
#include <optional>

namespace assay::config {

template <typename Key, typename Value>
class Recent {
 public:
  using Clock = std::chrono::steady_clock;

  // `most` is a sum of weights: entries, or bytes.
  Recent(std::size_t most, Clock::duration lifetime) : most_(most), lifetime_(lifetime) {}

  // Nothing when it is not there or too old. The pointer holds until the next put().
  const Value* find(const Key& key, Clock::time_point now) {
    const auto found = places_.find(key);
    if (found == places_.end()) return nullptr;
    if (now - found->second->since >= lifetime_) {
      drop(found->second);
      return nullptr;
    }
    items_.splice(items_.begin(), items_, found->second);
    return &found->second->value;
  }

  // What is heavier than all there may be is not kept.
  void put(const Key& key, Value value, std::size_t weight, Clock::time_point now) {
    if (const auto found = places_.find(key); found != places_.end()) drop(found->second);
    if (weight > most_) return;
    while (weight_ + weight > most_)
      drop(std::prev(items_.end()));
    items_.push_front({key, std::move(value), weight, now});
    places_.emplace(key, items_.begin());
    weight_ += weight;
  }

  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] std::size_t weight() const { return weight_; }

 private:
  struct Item {
    Key key{};
    Value value{};
    std::size_t weight = 0;
    Clock::time_point since{};
  };
  using Place = typename std::list<Item>::iterator;

  void drop(Place place) {
    weight_ -= place->weight;
    places_.erase(place->key);
    items_.erase(place);
  }

  std::size_t most_;
  Clock::duration lifetime_;
  std::size_t weight_ = 0;
  std::list<Item> items_{};  // the newest first
  std::map<Key, Place> places_{};
};

}  // namespace assay::config
