#include "judge/subtask_order.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay::judge {
namespace {

Result<std::vector<std::size_t>> places_of(const Subtask& subtask, const SubtaskOrder& known) {
  std::vector<std::size_t> places;
  for (const std::string& other : subtask.depends_on) {
    const auto found = known.places.find(other);
    if (found == known.places.end())
      return invalid(
          fmt::format("subtask '{}' depends on '{}', which does not exist", subtask.id, other));
    places.push_back(found->second);
  }
  std::ranges::sort(places);
  const auto twice = std::ranges::unique(places);
  places.erase(twice.begin(), twice.end());
  return places;
}

// Depth first, with a stack of its own: a chain may be as long as there are subtasks.
class Visit {
 public:
  Visit(const std::vector<Subtask>& subtasks, SubtaskOrder& result)
      : subtasks_(subtasks), result_(result), states_(subtasks.size(), State::New) {}

  Status from(std::size_t first) {
    if (states_[first] == State::New) open(first);
    while (!path_.empty()) {
      Step& step = path_.back();
      const std::vector<std::size_t>& others = result_.depends_on[step.place];
      if (step.next == others.size()) {
        close();
        continue;
      }
      const std::size_t other = others[step.next++];
      if (states_[other] == State::Open)
        return invalid(fmt::format("subtask '{}' depends on itself", subtasks_[other].id));
      if (states_[other] == State::New) open(other);
    }
    return {};
  }

 private:
  enum class State { New, Open, Done };
  struct Step {
    std::size_t place = 0;
    std::size_t next = 0;  // of what it depends on
  };

  void open(std::size_t place) {
    states_[place] = State::Open;
    path_.push_back({.place = place});
  }
  void close() {
    states_[path_.back().place] = State::Done;
    result_.order.push_back(path_.back().place);
    path_.pop_back();
  }

  const std::vector<Subtask>& subtasks_;
  SubtaskOrder& result_;
  std::vector<State> states_;
  std::vector<Step> path_;
};

}  // namespace

Result<SubtaskOrder> order_subtasks(const std::vector<Subtask>& subtasks) {
  SubtaskOrder result;
  for (std::size_t i = 0; i < subtasks.size(); ++i)
    result.places.emplace(subtasks[i].id, i);
  for (const Subtask& subtask : subtasks)
    result.depends_on.push_back(TRY(places_of(subtask, result)));
  Visit visit(subtasks, result);
  for (std::size_t i = 0; i < subtasks.size(); ++i)
    TRY_STATUS(visit.from(i));
  return result;
}

}  // namespace assay::judge
