// Files into a box before a run and out of it afterwards.
#pragma once

#include "sandbox/facts.h"
#include "sandbox/handle.h"

namespace assay::sandbox {

// The files that are the program's streams, and everything else that it finds when it starts unless
// that travels with the request. Nothing: all went well. A file that cannot be put in is the
// caller's mistake or our failure, never the program's.
Result<std::optional<FileError>> put_in(BoxHandle& box, const Spec& spec, bool files_travel);

// What could not be put in, of what travelled with the request. The end was told from inside the
// box.
FileError explain_put_in(const inside::Ended& ended, const Spec& spec);

// A file that cannot be taken out is a fact about the run.
Status take_out(BoxHandle& box, const Spec& spec, Facts& facts);

}  // namespace assay::sandbox
