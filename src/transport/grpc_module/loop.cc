#include "transport/grpc_module/loop.h"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <future>

namespace assay::transport::module {

Result<std::unique_ptr<Loop>> Loop::start() {
  os::OwnedFd epoll(epoll_create1(EPOLL_CLOEXEC));
  if (!epoll.is_open()) return system_error("make an epoll instance for gRPC streams");
  os::OwnedFd wake(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake.is_open()) return system_error("make an eventfd for gRPC streams");
  epoll_event event{.events = EPOLLIN, .data = {.u64 = 0}};
  if (epoll_ctl(epoll.get(), EPOLL_CTL_ADD, wake.get(), &event) != 0)
    return system_error("watch the eventfd of gRPC streams");
  return std::unique_ptr<Loop>(new Loop(std::move(epoll), std::move(wake)));
}

Loop::Loop(os::OwnedFd epoll, os::OwnedFd wake)
    : epoll_(std::move(epoll)), wake_(std::move(wake)), thread_([this] { run(); }) {}

Loop::~Loop() {
  post([this] {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  });
  thread_.join();
}

void Loop::post(Task task) {
  bool first;
  {
    const std::lock_guard lock(mutex_);
    first = posted_.empty();
    posted_.push_back(std::move(task));
  }
  if (first) eventfd_write(wake_.get(), 1);
}

Status Loop::ask(std::move_only_function<Status()> task) {
  std::promise<Status> answer;
  post([&] { answer.set_value(task()); });
  return answer.get_future().get();
}

Result<std::uint64_t> Loop::watch(int fd, OnEvents on_events) {
  const auto id = ++last_watch_;
  epoll_event event{.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data = {.u64 = id}};
  if (epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) != 0)
    return system_error("watch the descriptor of a stream");
  watched_[id] = {.fd = fd, .on_events = std::make_shared<OnEvents>(std::move(on_events))};
  return id;
}

void Loop::forget(std::uint64_t watch) {
  const auto found = watched_.find(watch);
  if (found == watched_.end()) return;
  epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, found->second.fd, nullptr);
  watched_.erase(found);
}

void Loop::run_posted() {
  eventfd_t count;
  eventfd_read(wake_.get(), &count);
  std::vector<Task> tasks;
  {
    const std::lock_guard lock(mutex_);
    tasks.swap(posted_);
  }
  for (auto& task : tasks)
    task();
}

void Loop::run() {
  // A program that has closed its input is nothing to die of.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  pthread_setname_np(pthread_self(), "grpc-streams");
  std::array<epoll_event, 64> events;
  for (;;) {
    const int count = epoll_wait(epoll_.get(), events.data(), events.size(), -1);
    for (int i = 0; i < count; ++i) {
      const auto& event = events[static_cast<std::size_t>(i)];
      const std::uint64_t id = event.data.u64;  // a copy: the kernel's struct is packed
      if (id == 0) {
        run_posted();
        continue;
      }
      const auto found = watched_.find(id);
      if (found == watched_.end()) continue;  // forgotten since
      const auto on_events = found->second.on_events;
      (*on_events)(event.events);
    }
    const std::lock_guard lock(mutex_);
    if (ending_ && posted_.empty()) return;
  }
}

}  // namespace assay::transport::module
