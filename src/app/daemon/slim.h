#pragma once

namespace assay::daemon {

// Gives back the pages of code that only the start needed: what is wanted again comes back from the
// page cache. For processes that then wait for most of their life.
void forget_code();

}  // namespace assay::daemon
