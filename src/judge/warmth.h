// How a compilation gets what was made ahead for it. Private to compiler.cc.
#pragma once

#include "judge/language.h"
#include "os/fd.h"
#include "sandbox/spec.h"

namespace assay::judge {

// Puts `warm`, which must be sealed, into a box: at the language's place there is a link to one
// more descriptor of the program, so that nothing is copied and no host path is mounted. The result
// is that descriptor, for as long as the run.
Result<os::OwnedFd> lend_warmth(const Warmth& warmth, int warm, sandbox::Spec& spec);

// Whether a log differs from that of a compilation without it.
Result<bool> tells_of_warmth(const Warmth& warmth, int log);

}  // namespace assay::judge
