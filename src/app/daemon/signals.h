// Signals as something to wait for.
#pragma once

#include <signal.h>

#include <initializer_list>

#include "os/fd.h"

namespace assay::daemon {

// Blocks them for this thread and those it starts; readable when one has come.
Result<os::OwnedFd> take_signals(std::initializer_list<int> numbers);
int next_signal(const os::OwnedFd& signals);  // 0: none waits

// As a process starts in life: nothing blocked.
void unblock_signals();

}  // namespace assay::daemon
