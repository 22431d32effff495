// Descriptors 0, 1 and 2 of this process.
#pragma once

namespace assay::os {

// Opens /dev/null where one of them is closed; ends the process where that cannot be done. The
// first act of a program: the next thing that it opens would otherwise be taken for its standard
// input or output, and be handed to a program in a box, or be written to. That was a socket to the
// warden once.
void fill_standard_streams() noexcept;

}  // namespace assay::os
