// Who is right when two programs have talked: from the facts of both, from who ended first and from
// what the interactor says to a verdict. Pure; the order of the rules is rbx's, the choices between
// them are the policy's.
#pragma once

#include <string>
#include <string_view>

#include "judge/checker.h"
#include "sandbox/facts.h"
#include "verdict/judge.h"
#include "verdict/policy.h"

namespace assay::judge {

enum class FirstToEnd { Solution, Interactor };

struct PairEnd {
  const sandbox::Facts* solution = nullptr;  // null: lost, which is our failure
  const sandbox::Facts* interactor = nullptr;
  verdict::Judgement of_solution{};  // by its facts alone
  FirstToEnd first = FirstToEnd::Solution;
  CheckResult
      said{};  // by the interactor; JudgeFailed where it said nothing that can be understood
  bool exit_code_speaks = true;  // the interactor's, by its protocol: one that is not 0 is no crash
  // Of a dialogue in which nobody did anything any more:
  Nanoseconds silence{};             // since when
  bool interactor_has_mail = false;  // it did not read all that it was told
  bool solution_has_mail = false;
  // What people know them as:
  std::string_view solution_name = "the solution";
  std::string_view interactor_name = "the interactor";
  std::string_view both_names = "both sides";
};

struct Ruling {
  verdict::Verdict verdict = verdict::Verdict::SystemError;
  std::string reason{};
  bool is_interactors = false;  // its own word, which may come with a score
};

Ruling rule(const PairEnd& pair, const verdict::Policy& policy);

}  // namespace assay::judge
