#pragma once

namespace assay::daemon {

// Gives back the pages of code that only the start needed: what is wanted again comes back from the
// page cache. For processes that then wait for most of their life.
void forget_code();

// Starts this program again with a heap that keeps nothing back for each thread. What threads keep
// is small, but it grows for a hundred thousand requests. Returns if it was started so, or if
// whoever started it has said how the heap is to be.
void use_flat_heap(char** argv);

// In the process that serves: as many heaps as programs run at once, and large blocks in none.
void limit_heaps(unsigned workers);

}  // namespace assay::daemon
