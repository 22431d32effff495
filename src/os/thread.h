// A thread, or the reason why there is none: std::thread throws it, and from most places nobody
// would catch.
#pragma once

#include <system_error>
#include <thread>
#include <utility>

#include "base/result.h"

namespace assay::os {

template <typename Thread = std::thread, typename Work>
Result<Thread> start_thread(Work&& work) {
  try {
    return Thread(std::forward<Work>(work));
  } catch (const std::system_error& error) {
    return system_error(error.code().value(), "start a thread");
  }
}

// Whether a thread of this process would go on now: it runs, waits for a cpu, or for a device. Not
// so if there is none of this id.
bool would_go_on(int thread);

}  // namespace assay::os
