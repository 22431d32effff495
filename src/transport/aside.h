// Threads for what has to wait and cannot be told when it is over: a step that blocks is made
// there. The threads of the server are few, and whoever made all of them wait would keep everybody
// out.
#pragma once

#include <coroutine>
#include <memory>

namespace boost::asio {
class thread_pool;
}

namespace assay::transport {

class Aside {
 public:
  explicit Aside(unsigned threads);
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;
  ~Aside();  // when nobody is there any more

  // The coroutine goes on in one of the threads.
  class Step {
   public:
    explicit Step(boost::asio::thread_pool& threads) : threads_(threads) {}
    static bool await_ready() { return false; }
    void await_suspend(std::coroutine_handle<> waiting) const;
    static void await_resume() {}

   private:
    boost::asio::thread_pool& threads_;
  };
  Step step() { return Step(*threads_); }

 private:
  std::unique_ptr<boost::asio::thread_pool> threads_;
};

}  // namespace assay::transport
