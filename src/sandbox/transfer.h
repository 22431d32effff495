// Files into a box before a run and out of it afterwards.
#pragma once

#include "sandbox/facts.h"
#include "sandbox/handle.h"

namespace assay::sandbox {

// Everything that the program finds when it starts, and the files that are its streams. Nothing:
// all went well. A file that cannot be put in is the caller's mistake or our failure, never the
// program's.
Result<std::optional<FileError>> put_in(BoxHandle& box, const Spec& spec);

// A file that cannot be taken out is a fact about the run.
Status take_out(BoxHandle& box, const Spec& spec, Facts& facts);

}  // namespace assay::sandbox
