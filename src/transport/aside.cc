#include "transport/aside.h"

#include "transport/asio.h"

namespace assay::transport {

Aside::Aside(unsigned threads) : threads_(std::make_unique<boost::asio::thread_pool>(threads)) {}

Aside::~Aside() {
  threads_->join();
}

void Aside::Step::await_suspend(std::coroutine_handle<> waiting) const {
  boost::asio::post(threads_, [waiting] { waiting.resume(); });
}

}  // namespace assay::transport
