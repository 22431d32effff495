// Programs that talk, repeated until chance had its say.
#pragma once

#include <functional>
#include <string>

namespace assay::test {

struct Repetition {
  std::string name{};
  // It mostly waits, so that many can do so at once; else as many run as there are cores for.
  bool waits = false;
  // What was wrong, in one line; empty: nothing. Called from several threads.
  std::function<std::string()> once{};
};

// ASSAY_PAIR_RUNS says how often it runs (else `runs`), and with ASSAY_PAIR_LOAD every core has
// other work meanwhile. All that was wrong is a failure of the test, with how often.
void repeat(const Repetition& repetition, int runs);

}  // namespace assay::test
