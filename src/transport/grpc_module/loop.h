// One thread that serves the descriptors of all live streams. Everything a stream call does happens
// here, so that its state needs no lock.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/result.h"
#include "os/fd.h"

namespace assay::transport::module {

class Loop {
 public:
  using Task = std::move_only_function<void()>;
  using OnEvents = std::function<void(std::uint32_t events)>;  // of epoll

  static Result<std::unique_ptr<Loop>> start();
  ~Loop();  // runs what was posted, then ends

  void post(Task task);  // from any thread; in order
  // The same, and waits for it; not on the loop's thread.
  Status ask(std::move_only_function<Status()> task);

  // On the loop's thread. Edge-triggered, for reading and writing: after an event, go on until
  // EAGAIN. The descriptor is borrowed until forget(), which may be called while an event is
  // served.
  Result<std::uint64_t> watch(int fd, OnEvents on_events);
  void forget(std::uint64_t watch);

 private:
  Loop(os::OwnedFd epoll, os::OwnedFd wake);
  void run();
  void run_posted();

  struct Watched {
    int fd = -1;
    std::shared_ptr<OnEvents> on_events{};
  };
  os::OwnedFd epoll_, wake_;
  std::map<std::uint64_t, Watched> watched_{};
  std::uint64_t last_watch_ = 0;  // 0 is the wake-up itself
  std::mutex mutex_{};
  std::vector<Task> posted_{};
  bool ending_ = false;  // under the mutex
  std::thread thread_{};
};

}  // namespace assay::transport::module
