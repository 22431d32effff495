// Which step of starting a program failed, as a fact that a user can act on.
#pragma once

#include "sandbox/facts.h"
#include "sandbox/inside/plan.h"

namespace assay::sandbox {

NotStarted explain_not_started(const inside::Ended& ended, const Spec& spec);

}  // namespace assay::sandbox
