// Which subtasks depend on which, by their places in the problem, so that whoever asks for each of
// them what holds for all it depends on looks at every dependency once. Pure.
#pragma once

#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "judge/problem.h"

namespace assay::judge {

struct SubtaskOrder {
  std::map<std::string_view, std::size_t> places{};    // by their ids, which are the problem's
  std::vector<std::vector<std::size_t>> depends_on{};  // each once, whatever was written
  std::vector<std::size_t> order{};                    // each after all that it depends on
};

// One sentence where something depends on itself, or on what is not there.
Result<SubtaskOrder> order_subtasks(const std::vector<Subtask>& subtasks);

}  // namespace assay::judge
