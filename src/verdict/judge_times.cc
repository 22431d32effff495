#include "verdict/judge.h"

namespace assay::verdict {

Judgement judge_times(const sandbox::Facts& facts, const sandbox::Limits& declared,
                      const Policy& policy) {
  const sandbox::Facts times{
      .end = sandbox::Exited{0},
      .cpu_total = facts.cpu_total,
      .cpu_user = facts.cpu_user,
      .cpu_system = facts.cpu_system,
      .wall = facts.wall,
      .starved = facts.starved,
      .limits = {.cpu_time = declared.cpu_time, .wall_time = declared.wall_time},
  };
  Policy soft = policy;
  soft.run.comparison = policy.run.soft_comparison.value_or(policy.run.comparison);
  return judge(times, soft);
}

}  // namespace assay::verdict
