// From a submission to a program, as its problem wants it.
#pragma once

#include <functional>

#include "judge/build_order.h"
#include "judge/unpacking.h"

namespace assay::judge {

using CompileFunction = std::function<Result<Compiled>(const CompileOrder&)>;

struct BuildTools {
  sandbox::Sandbox& engine;
  const LanguageSet& languages;
  const Unpacker* unpacker = nullptr;
  CompileFunction compile{};
};

// An archive that cannot be used fails as a source does that does not compile: the result says why.
Result<Compiled> build(const BuildTools& tools, const Problem& problem,
                       const Submission& submission, Cancellation& cancellation);

// The files of a submission, whichever way they came.
Result<Unpacked> files_of(const BuildTools& tools, const Submission& submission,
                          const ArchiveLimits& limits, Cancellation& cancellation);

// As if a compiler had said so.
Compiled not_built(std::string why);

}  // namespace assay::judge
