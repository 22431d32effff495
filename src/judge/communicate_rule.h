// Who is right when several copies of a solution have talked with a manager. One of them is chosen
// to stand for all, and then the rules of two programs hold (interact_rule.h). Pure.
#pragma once

#include <vector>

#include "judge/interact_rule.h"

namespace assay::judge {

struct ProcessEnd {
  sandbox::Facts facts{};
  verdict::Judgement judgement{};  // by its facts alone
  bool manager_knew = false;       // that it had ended, while the manager still ran
  bool after_failure = false;  // it ended when the manager had been told that another had failed
  bool has_mail = false;       // it did not read all that it was told
};

struct CommunicationEnd {
  std::vector<ProcessEnd> processes{};
  const sandbox::Facts* manager = nullptr;
  CheckResult said{};  // by the manager
  Nanoseconds silence{};
  bool manager_has_mail = false;
};

// All of them as one: the times added, the longest wall and the largest memory; the end is that of
// `shown`.
sandbox::Facts together(const std::vector<ProcessEnd>& processes, std::size_t shown);

// The one whose failure counts: the lowest of those that failed when nobody could know of another
// failure, before those that only waited too long. What happens after the manager has said no, or
// to one that was ended with the others, is no failure.
std::optional<std::size_t> process_to_blame(const CommunicationEnd& end,
                                            const verdict::Policy& policy);

Ruling rule(const CommunicationEnd& end, const verdict::Policy& policy);

}  // namespace assay::judge
