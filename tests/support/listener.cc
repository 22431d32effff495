#include "tests/support/listener.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

namespace assay::test {

Listener::Listener() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  auto* address = reinterpret_cast<sockaddr*>(&at);
  EXPECT_EQ(::bind(socket_.get(), address, size), 0);
  EXPECT_EQ(::listen(socket_.get(), 64), 0);
  EXPECT_EQ(::getsockname(socket_.get(), address, &size), 0);
  port_ = ntohs(at.sin_port);
}

// A connection that the kernel has made waits here, whether its caller is still there or not.
bool Listener::was_called() {
  bool called = false;
  for (;;) {
    const os::OwnedFd caller(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!caller.is_open()) return called;
    called = true;
  }
}

}  // namespace assay::test
