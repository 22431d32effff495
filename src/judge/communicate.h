// One test of a communication problem: copies of the submission and the problem's manager run
// together, each in a box of its own. As in CMS the manager has the test on its stdin and for every
// process the paths of two FIFOs as arguments, to read from it and to write to it; it leaves a
// share from 0 to 1 on its stdout and a message on its stderr. A process has its number as its last
// argument where there are several. See docs/decisions/0015-communication.md.
#pragma once

#include "judge/interact.h"

namespace assay::judge {

struct Communicated {
  Interacted talk{};  // the run is that of all processes together
  std::vector<sandbox::Facts> processes{};
};

// The order's interactor is the manager. An Error is ours; whatever the manager does wrong is in
// the ruling.
Result<Communicated> communicate(sandbox::Sandbox& engine, const InteractOrder& order,
                                 Cancellation& cancellation);

}  // namespace assay::judge
