// A problem that somebody sent as an archive of its files.
#pragma once

#include "config/catalogue.h"
#include "judge/problem.h"
#include "judge/unpacking.h"
#include "store/store.h"

namespace assay::daemon {

struct PackageTools {  // all borrowed
  sandbox::Sandbox& engine;
  const judge::Unpacker& unpacker;
  store::Store& store;
  config::Catalogue& catalogue;
};

// An archive that is refused, or that is no problem, is an InvalidRequest.
Result<judge::Problem> problem_of_package(const PackageTools& tools, const judge::Content& archive,
                                          judge::Cancellation& cancellation);

}  // namespace assay::daemon
