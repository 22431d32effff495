// Coroutines for connections: Task is a step that somebody awaits, Detached is a whole life.
// Unlike Asio's, they go on in whatever thread ends their wait, so that the worker that ran a
// request also writes its answer: a hand-off to another thread costs more than the answer.
#pragma once

#include <atomic>
#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

#include "base/check.h"

namespace assay::transport {

// Starts at once, owns itself.
struct Detached {
  struct promise_type {
    Detached get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { CHECK(false); }
  };
};

// Two sides meet: the step that ends, and the one who waits for it. Whoever comes second goes on.
class Meeting {
 public:
  bool is_second() { return here_.exchange(true, std::memory_order_acq_rel); }

 private:
  std::atomic<bool> here_ = false;
};

template <typename T>
class [[nodiscard]] Task {
 public:
  struct promise_type {
    std::coroutine_handle<> waiting{};
    Meeting meeting{};
    std::optional<T> value{};
    std::exception_ptr problem{};

    struct AtEnd {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> self) noexcept {
        promise_type& promise = self.promise();
        return promise.meeting.is_second() ? promise.waiting : std::noop_coroutine();
      }
      void await_resume() noexcept {}
    };
    Task get_return_object() {
      return Task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    AtEnd final_suspend() noexcept { return {}; }
    void return_value(T result) { value.emplace(std::move(result)); }
    void unhandled_exception() { problem = std::current_exception(); }
  };

  Task(Task&& other) noexcept : self_(std::exchange(other.self_, nullptr)) {}
  Task& operator=(Task&&) = delete;
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  ~Task() {
    if (self_) self_.destroy();
  }

  bool await_ready() { return false; }
  bool await_suspend(std::coroutine_handle<> waiting) {
    promise_type& promise = self_.promise();
    promise.waiting = waiting;
    self_.resume();
    return !promise.meeting.is_second();  // over already: go on without a pause
  }
  T await_resume() {
    if (self_.promise().problem) std::rethrow_exception(self_.promise().problem);
    return *std::move(self_.promise().value);
  }

 private:
  explicit Task(std::coroutine_handle<promise_type> self) : self_(self) {}
  std::coroutine_handle<promise_type> self_;
};

}  // namespace assay::transport
