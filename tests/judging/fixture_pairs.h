// Programs that talk, repeated until chance had its say.
#pragma once

#include <functional>
#include <string>

namespace assay::test {

constexpr unsigned kWaits = 12;  // so many can do nothing at once, for each core

struct Repetition {
  std::string name{};
  unsigned at_once = 1;  // for each core
  // What was wrong, in one line; empty: nothing. Called from several threads.
  std::function<std::string()> once{};
};

// ASSAY_PAIR_RUNS says how often it runs (else `runs`), and with ASSAY_PAIR_LOAD every core has
// other work meanwhile. All that was wrong is a failure of the test, with how often.
void repeat(const Repetition& repetition, int runs);

}  // namespace assay::test
