// Which path of a box is made by which line of its profile: nothing twice, nothing where it would
// be hidden or lost.
#pragma once

#include "base/result.h"
#include "sandbox/document.h"
#include "sandbox/profile.h"

namespace assay::sandbox {

// `root` is the document that `profile` was read from; it supplies the positions.
Status check_claims(const Node& root, const Profile& profile);

}  // namespace assay::sandbox
