#include "judge/interact_rule.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay::judge {
namespace {

using sandbox::CutOff;
using sandbox::Facts;
using verdict::InteractorExcess;
using verdict::Policy;
using verdict::Verdict;

double seconds(Nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

Ruling by_solution(const PairEnd& pair) {
  return {pair.of_solution.verdict, pair.of_solution.reason};
}

Ruling by_interactor(const PairEnd& pair) {
  return {pair.said.verdict, pair.said.message, true};
}

// What it did wrong, by its name. An exit code is no crash where the protocol gives it a meaning.
Ruling interactor_failed(const PairEnd& pair, const Policy& policy) {
  const verdict::Judgement own = verdict::judge(*pair.interactor, policy);
  if (policy.interactive.interactor_excess == InteractorExcess::ByLimit &&
      verdict::is_limit_exceeded(own.verdict))
    return {own.verdict, fmt::format("{}: {}", pair.interactor_name, own.reason)};
  return {Verdict::JudgeFailed, pair.said.message};
}

bool is_system_error(const Facts& facts, const Policy& policy) {
  return verdict::judge(facts, policy).verdict == Verdict::SystemError;
}

bool is_deadlock(const PairEnd& pair) {
  return pair.solution->cut_off_by == CutOff::Idle && pair.interactor->cut_off_by == CutOff::Idle;
}

// Nobody does anything: the one that was told something and does not move is to blame. Where both
// were, it is the solution: an interactor that cannot go on writing does not read either.
Ruling deadlock(const PairEnd& pair, const Policy& policy) {
  const auto has_not_read = [&](std::string_view who) {
    return fmt::format("{} has not read what it was told and has done nothing for {:.1f} s", who,
                       seconds(pair.silence));
  };
  if (pair.solution_has_mail) return {Verdict::IdleLimit, has_not_read(pair.solution_name)};
  if (pair.interactor_has_mail &&
      policy.interactive.interactor_excess == InteractorExcess::JudgeFailed)
    return {Verdict::JudgeFailed, has_not_read(pair.interactor_name)};
  const auto sleeps = [&](std::string_view who) {
    return fmt::format("{} sleeps, and nobody has said anything for {:.1f} s", who,
                       seconds(pair.silence));
  };
  if (pair.solution->slept) return {Verdict::IdleLimit, sleeps(pair.solution_name)};
  if (pair.interactor->slept &&
      policy.interactive.interactor_excess == InteractorExcess::JudgeFailed)
    return {Verdict::JudgeFailed, sleeps(pair.interactor_name)};
  return {Verdict::IdleLimit,
          fmt::format("{} wait for input since {:.1f} s", pair.both_names, seconds(pair.silence))};
}

// The solution ran out of time because the interactor took it. What the interactor did not compute
// is the solution's own part, whether it used it or slept: one that needs more of it than its limit
// of cpu time, or than half of the whole, has run out of time by itself.
bool has_been_kept_waiting(const PairEnd& pair, const Policy& policy) {
  if (policy.interactive.interactor_excess != InteractorExcess::JudgeFailed) return false;
  const Facts& solution = *pair.solution;
  if (solution.cut_off_by != CutOff::Wall && solution.cut_off_by != CutOff::Idle) return false;
  const Nanoseconds judged = solution.wall - solution.starved;
  const Nanoseconds own = judged - pair.interactor->cpu_total;
  return pair.interactor->cpu_total > 2 * solution.cpu_total &&
         own <= std::min(solution.limits.cpu_time.value_or(judged), judged / 2);
}

Ruling limit_of_solution(const PairEnd& pair, const Policy& policy) {
  if (!has_been_kept_waiting(pair, policy)) return by_solution(pair);
  return {Verdict::JudgeFailed,
          fmt::format("{} computed for {:.1f} s while the solution waited for it",
                      pair.interactor_name, seconds(pair.interactor->cpu_total))};
}

Ruling by_who_ended_first(const PairEnd& pair, const Policy& policy) {
  const bool interactor_first = pair.first == FirstToEnd::Interactor;
  const bool broke = pair.said.verdict == Verdict::JudgeFailed;
  if (is_deadlock(pair)) return deadlock(pair, policy);
  if (interactor_first && broke) return interactor_failed(pair, policy);
  if (verdict::is_limit_exceeded(pair.of_solution.verdict)) return limit_of_solution(pair, policy);
  if (interactor_first && pair.said.verdict != Verdict::Accepted) return by_interactor(pair);
  const bool was_ended = pair.solution->cut_off_by == CutOff::Peer;  // never its own fault
  if (!was_ended && pair.of_solution.verdict != Verdict::Accepted) return by_solution(pair);
  return broke ? interactor_failed(pair, policy) : by_interactor(pair);
}

// Normal-OJ's: the student's error, the teacher's, no result that can be read, the result.
Ruling by_student_first(const PairEnd& pair, const Policy& policy) {
  if (pair.of_solution.verdict != Verdict::Accepted) return by_solution(pair);
  const verdict::Judgement own = verdict::judge(*pair.interactor, policy);
  const bool exited = std::holds_alternative<sandbox::Exited>(pair.interactor->end) &&
                      pair.interactor->cut_off_by == CutOff::None;
  const bool wrong = own.verdict != Verdict::Accepted && !(exited && pair.exit_code_speaks);
  if (wrong)
    return {own.verdict == Verdict::OutputLimit ? Verdict::JudgeFailed : own.verdict,
            fmt::format("{}: {}", pair.interactor_name, own.reason)};
  if (pair.said.verdict == Verdict::JudgeFailed)
    return {policy.check.invalid_result, pair.said.message};
  return by_interactor(pair);
}

}  // namespace

Ruling rule(const PairEnd& pair, const Policy& policy) {
  if (pair.solution == nullptr || pair.interactor == nullptr)
    return {Verdict::SystemError, "what became of one of the two programs is not known"};
  for (const Facts* facts : {pair.solution, pair.interactor})
    if (is_system_error(*facts, policy))
      return {Verdict::SystemError, verdict::judge(*facts, policy).reason};
  switch (policy.interactive.rule) {
    case verdict::Interactive::StudentFirst:
      return by_student_first(pair, policy);
    case verdict::Interactive::Evaluator:
      return by_interactor(pair);
    case verdict::Interactive::Testlib:
      break;
  }
  return by_who_ended_first(pair, policy);
}

}  // namespace assay::judge
