// The files below a directory of a box, after the run.
#pragma once

#include "base/result.h"
#include "sandbox/facts.h"
#include "sandbox/handle.h"
#include "sandbox/spec.h"

namespace assay::sandbox {

// A directory that cannot be read becomes a file error; an Error is ours.
Status look_below(BoxHandle& box, const TreeOut& tree, Facts& facts);

}  // namespace assay::sandbox
