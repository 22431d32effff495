// Flags of mount(2).
#pragma once

namespace assay::sandbox::inside {

// <sys/mount.h> and <linux/mount.h> clash in glibc 2.36: these are the old flags needed here.
constexpr unsigned long kMsReadOnly = 1, kMsNoSuid = 2, kMsNoDev = 4, kMsNoExec = 8, kMsRec = 16384,
                        kMsPrivate = 1 << 18, kMsNoAtime = 1024;

}  // namespace assay::sandbox::inside
