#include "judge/communicate_rule.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay::judge {
namespace {

using sandbox::CutOff;
using sandbox::Facts;
using verdict::Verdict;

bool says_no(const CheckResult& said) {
  return said.verdict != Verdict::Accepted && said.verdict != Verdict::JudgeFailed;
}

bool is_by_order(const verdict::Policy& policy) {
  return policy.interactive.rule == verdict::Interactive::Testlib;
}

// It ran on when the manager had said no without knowing of its end.
bool is_afterwards(const ProcessEnd& process, const CommunicationEnd& end,
                   const verdict::Policy& policy) {
  return is_by_order(policy) && says_no(end.said) && !process.manager_knew;
}

bool has_failed(const ProcessEnd& process, const CommunicationEnd& end,
                const verdict::Policy& policy) {
  return process.judgement.verdict != Verdict::Accepted &&
         process.facts.cut_off_by != CutOff::Peer && !is_afterwards(process, end, policy);
}

// The less, the more it is the cause of the others.
int rank_of(const ProcessEnd& process) {
  if (process.judgement.verdict == Verdict::SystemError) return 0;
  const CutOff cut = process.facts.cut_off_by;
  const bool has_waited = cut == CutOff::Idle || cut == CutOff::Wall;  // for another, perhaps
  return 1 + (has_waited ? 1 : 0) + (process.after_failure ? 2 : 0);
}

std::string name_of(std::size_t process, const CommunicationEnd& end) {
  return end.processes.size() == 1 ? "" : fmt::format("process {}: ", process);
}

// "process 0, process 1 and the manager"
std::string names_of_waiting(const CommunicationEnd& end) {
  if (end.processes.size() == 1) return "both sides";
  std::string names;
  for (std::size_t i = 0; i < end.processes.size(); ++i)
    if (end.processes[i].facts.cut_off_by == CutOff::Idle)
      names += fmt::format("{}process {}", names.empty() ? "" : ", ", i);
  return names + " and the manager";
}

// Who waits though the manager told it something.
std::optional<std::size_t> who_has_not_read(const CommunicationEnd& end) {
  for (std::size_t i = 0; i < end.processes.size(); ++i)
    if (end.processes[i].facts.cut_off_by == CutOff::Idle && end.processes[i].has_mail) return i;
  return std::nullopt;
}

// A manager that waited in vain for one that had failed is as good as told.
bool has_seen(const CommunicationEnd& end, const ProcessEnd& process) {
  return process.manager_knew ||
         (end.manager->cut_off_by == CutOff::Idle && process.facts.cut_off_by != CutOff::Idle);
}

// Nobody failed alone; all together may have. What one did after a no explains nothing; after a
// part of the points it does as after all of them: a late crash must not buy everybody time.
verdict::Judgement judge_sum(const CommunicationEnd& end, const Facts& all,
                             const verdict::Policy& policy) {
  const bool earned = end.said.verdict == Verdict::PartiallyCorrect;
  const bool counts = earned || std::ranges::none_of(end.processes, [&](const ProcessEnd& process) {
                        return process.judgement.verdict != Verdict::Accepted &&
                               is_afterwards(process, end, policy);
                      });
  verdict::Judgement judgement = verdict::judge(all, policy);
  if (!counts || !verdict::is_slow(judgement.verdict)) return {.verdict = Verdict::Accepted};
  if (end.processes.size() > 1) judgement.reason = "all processes together: " + judgement.reason;
  return judgement;
}

}  // namespace

Facts together(const std::vector<ProcessEnd>& processes, std::size_t shown) {
  Facts all = processes[shown].facts;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    if (i == shown) continue;
    const Facts& one = processes[i].facts;
    all.cpu_total += one.cpu_total;
    all.cpu_user += one.cpu_user;
    all.cpu_system += one.cpu_system;
    if (one.wall - one.starved > all.wall - all.starved) {
      all.wall = one.wall;
      all.starved = one.starved;
    }
    all.memory_peak = std::max(all.memory_peak, one.memory_peak);
    all.oom_kills += one.oom_kills;
    all.switches_voluntary += one.switches_voluntary;
    all.switches_forced += one.switches_forced;
  }
  return all;
}

std::optional<std::size_t> process_to_blame(const CommunicationEnd& end,
                                            const verdict::Policy& policy) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < end.processes.size(); ++i) {
    const ProcessEnd& process = end.processes[i];
    if (!has_failed(process, end, policy)) continue;
    if (!found || rank_of(process) < rank_of(end.processes[*found])) found = i;
  }
  return found;
}

Ruling rule(const CommunicationEnd& end, const verdict::Policy& policy) {
  const auto blamed = process_to_blame(end, policy);
  Facts all = together(end.processes, blamed.value_or(0));
  verdict::Judgement judgement;
  bool knew = false;
  if (blamed) {
    judgement = end.processes[*blamed].judgement;
    judgement.reason = name_of(*blamed, end) + judgement.reason;
    knew = has_seen(end, end.processes[*blamed]);
  } else {
    all.end = sandbox::Exited{0};
    all.cut_off_by = CutOff::None;
    judgement = judge_sum(end, all, policy);
  }
  const std::string waiting = names_of_waiting(end);
  const auto deaf = who_has_not_read(end);
  const std::string deaf_name =
      deaf && end.processes.size() > 1 ? fmt::format("process {}", *deaf) : "the solution";
  return rule(PairEnd{.solution = &all,
                      .interactor = end.manager,
                      .of_solution = std::move(judgement),
                      .first = knew ? FirstToEnd::Solution : FirstToEnd::Interactor,
                      .said = end.said,
                      .silence = end.silence,
                      .interactor_has_mail = end.manager_has_mail,
                      .solution_has_mail = deaf.has_value(),
                      .solution_name = deaf_name,
                      .interactor_name = "the manager",
                      .both_names = waiting},
              policy);
}

}  // namespace assay::judge
