// Files into a box before a run and out of it afterwards.
#pragma once

#include "sandbox/facts.h"
#include "sandbox/handle.h"

namespace assay::sandbox {

// A file that cannot be put in is the caller's mistake or our failure, never the program's.
Status put_in(BoxHandle& box, const Spec& spec);

// A file that cannot be taken out is a fact about the run.
void take_out(BoxHandle& box, const Spec& spec, Facts& facts);

}  // namespace assay::sandbox
