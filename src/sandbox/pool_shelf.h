// Boxes of one kind that wait, and how many of them are more than anybody has needed for a while. A
// request of many commands leaves as many boxes, each with its processes and descriptors.
#pragma once

#include <algorithm>
#include <list>
#include <memory>
#include <utility>

namespace assay::sandbox {

template <typename Box>
class Shelf {
 public:
  std::list<std::unique_ptr<Box>>& boxes() { return boxes_; }
  void put(std::unique_ptr<Box> box) { boxes_.push_back(std::move(box)); }

  using Place = typename std::list<std::unique_ptr<Box>>::iterator;
  std::unique_ptr<Box> take(Place place) {
    std::unique_ptr<Box> box = std::move(*place);
    boxes_.erase(place);
    fewest_ = std::min(fewest_, boxes_.size());
    return box;
  }
  void lacks() { fewest_ = 0; }  // none could be had, and another is made

  // A period is over: those that waited all the time, beyond the spare ones, were needed by nobody.
  void end_period(std::size_t spare) {
    unneeded_ = fewest_ - std::min(fewest_, spare);
    fewest_ = boxes_.size();
  }
  // One of them, if it is not needed now either.
  std::unique_ptr<Box> take_unneeded(std::size_t spare) {
    if (fewest_ <= spare) unneeded_ = 0;
    if (unneeded_ == 0) return nullptr;
    --unneeded_;
    return take(boxes_.begin());
  }

 private:
  std::list<std::unique_ptr<Box>> boxes_;  // longest waiting first
  std::size_t fewest_ = 0;                 // that waited, in this period
  std::size_t unneeded_ = 0;               // in the last one
};

}  // namespace assay::sandbox
