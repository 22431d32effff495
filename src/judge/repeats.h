// Runs that end close to their time limit may be run again, because what neighbours on the machine
// cost then decides. Pure: who runs them is the pipeline's business.
#pragma once

#include <vector>

#include "judge/judge_result.h"
#include "judge/language.h"

namespace assay::judge {

struct Repeats {
  // Neighbours make a run slower and never faster, so the fastest is nearest to the truth: the
  // default. The slowest is for somebody who looks for a limit that holds for every run.
  enum class Counts { Fastest, Slowest };

  unsigned most = 0;   // further runs of a test
  Factor margin{100};  // a part of the limit: 100 is a tenth
  Counts counts = Counts::Fastest;
};

struct Attempt {
  TestResult result{};
  // It ended by itself, not further from its limit than the margin. One that is stopped is never
  // near: a program that would go on for ever is not given another chance, and one that is near on
  // the wrong side passes only if a whole further run of it keeps the limit. Nothing is averaged.
  bool near = false;
};

// How much longer than its limit a run may take, so that it can be seen that it ended near it.
Factor allowance_of(const Repeats& repeats);

bool is_near(const sandbox::Facts& facts, Nanoseconds used, Nanoseconds limit, Factor margin);

// Fastest: while all were too slow, but near. Slowest: while none was too slow, but near.
bool wants_another(const Repeats& repeats, const std::vector<Attempt>& attempts);

// The one that counts, with the times of all. Fastest: the first that was not too slow, else the
// fastest. Slowest: the first that was too slow, else the slowest.
TestResult choose(const Repeats& repeats, std::vector<Attempt> attempts);

}  // namespace assay::judge
