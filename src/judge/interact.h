// One test of an interactive problem: the submission and the problem's interactor run together,
// each in a box of its own, and talk through pipes that we stand in.
#pragma once

#include "judge/group.h"
#include "judge/interact_rule.h"
#include "judge/test_run.h"

namespace assay::judge {

struct InteractOrder {
  const TestOrder& test;
  const Program& interactor;
  Bytes dialogue{};  // so much of it is noted; nothing: none
  exec::Transcript::Heard heard{};
};

struct Interacted {
  TestRun run{};  // the solution's; its output is the file that the interactor wrote
  Ruling ruling{};
  CheckResult said{};  // by the interactor
  std::string log{};   // what it said on stderr, cut
  InteractionResult result{};
};

// An Error is ours. Whatever the interactor does wrong is in the ruling.
Result<Interacted> interact(sandbox::Sandbox& engine, const InteractOrder& order,
                            Cancellation& cancellation);

}  // namespace assay::judge
