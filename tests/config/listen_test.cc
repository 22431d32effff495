#include "app/daemon/listen.h"

#include <gtest/gtest.h>

namespace assay::daemon {
namespace {

std::string port_of(const os::OwnedFd& listener) {
  const std::string text = address_of(listener);
  return text.substr(text.rfind(':'));
}

TEST(Listen, LocalhostIsEveryLoopbackAddressOnOnePort) {
  const auto listeners = listen_on("localhost:0");
  ASSERT_TRUE(listeners) << describe(listeners.error());
  ASSERT_FALSE(listeners->empty());
  EXPECT_TRUE(address_of(listeners->front()).starts_with("127.0.0.1:"));
  if (listeners->size() == 1) GTEST_SKIP() << "no IPv6 here";
  EXPECT_TRUE(address_of(listeners->back()).starts_with("[::1]:"));
  EXPECT_EQ(port_of(listeners->front()), port_of(listeners->back()));
}

TEST(Listen, AnEmptyHostIsOneSocketForEverything) {
  const auto listeners = listen_on(":0");
  ASSERT_TRUE(listeners) << describe(listeners.error());
  EXPECT_EQ(listeners->size(), 1U);
}

TEST(Listen, ATakenPortIsNamed) {
  const auto first = listen_on("127.0.0.1:0");
  ASSERT_TRUE(first);
  const std::string address = address_of(first->front());
  const auto second = listen_on(address);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, EADDRINUSE);
  EXPECT_TRUE(second.error().context.starts_with("cannot listen on '" + address + "'"));
}

TEST(Listen, AHostThatIsNoneIsNamed) {
  const auto listeners = listen_on("256.0.0.1:0");
  ASSERT_FALSE(listeners);
  EXPECT_TRUE(listeners.error().context.starts_with("cannot listen on '256.0.0.1:0'"))
      << listeners.error().context;
}

}  // namespace
}  // namespace assay::daemon
