// A thread, or the reason why there is none: std::thread throws it, and from most places nobody
// would catch.
#pragma once

#include <system_error>
#include <thread>
#include <utility>
#include <vector>

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

// So many, or as many as can be had. Throws, as std::thread does, if there is none.
template <typename Work>
std::vector<std::thread> start_threads(std::size_t count, const Work& work) {
  std::vector<std::thread> threads;
  threads.reserve(count);
  if (count > 0) threads.emplace_back(work);
  while (threads.size() < count) {
    auto more = start_thread(work);
    if (!more) break;  // those that are there could not be left alone without a terminate()
    threads.push_back(*std::move(more));
  }
  return threads;
}

}  // namespace assay::os
