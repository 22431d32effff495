// Work that meets a stranger's bytes is done without root: in a child that gave it up for good.
#pragma once

#include <functional>

#include "base/result.h"
#include "os/process.h"

namespace assay::cli {

constexpr unsigned kNobody = 65534;  // who root becomes

// Whether the caller needs its rights again when the work is done.
enum class Afterwards { NeedsRights, NeedsNone };

// Runs `work` without root and gives its exit code. When rights are needed afterwards, it is done
// in a child, which dies if we die; else this process gives up root itself, for good. A plain user
// has nothing to give up.
Result<int> run_unprivileged(Afterwards afterwards, const std::function<int()>& work);

// The same in a child of its own, at once, while the caller goes on with its rights. The child dies
// with its parent.
Result<os::Process> start_unprivileged(const std::function<int()>& work);

}  // namespace assay::cli
