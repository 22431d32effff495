#include "sandbox/warden_order.h"

#include <gtest/gtest.h>

namespace assay::sandbox {
namespace {

WardenCall order() {
  return {.request = {.order = WardenOrder::MakeBox, .core = 3, .one_shot = 1},
          .profile = "default",
          .mounts = {{"/usr/lib", "/lib", false}, {"/data", "/data", true}, {"", "", false}}};
}

std::vector<std::byte> packet_of(const WardenCall& call) {
  auto packet = write_call(call);
  EXPECT_TRUE(packet.has_value());
  return packet.value_or(std::vector<std::byte>{});
}

std::string refusal(const std::vector<std::byte>& packet) {
  const auto call = read_call(packet);
  return call ? "" : call.error().context;
}

TEST(WardenOrder, TheWardenReadsWhatTheDaemonWrote) {
  const auto call = read_call(packet_of(order()));
  ASSERT_TRUE(call.has_value());
  EXPECT_EQ(call->profile, "default");
  EXPECT_EQ(call->mounts, order().mounts);
  EXPECT_EQ(call->request.core, 3);
  EXPECT_EQ(call->request.one_shot, 1U);
}

TEST(WardenOrder, APacketThatEndsAnywhereElseIsRefused) {
  const std::vector<std::byte> whole = packet_of(order());
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(
        refusal({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}).empty())
        << size;
}

TEST(WardenOrder, BytesBehindTheLastMountAreRefused) {
  std::vector<std::byte> packet = packet_of(order());
  packet.push_back(std::byte{'r'});
  EXPECT_EQ(refusal(packet), "malformed mounts in a request");
}

TEST(WardenOrder, AMountThatIsNeitherReadOnlyNorWritableIsRefused) {
  std::vector<std::byte> packet = packet_of(order());
  packet[sizeof(WardenRequest)] = std::byte{'x'};
  EXPECT_EQ(refusal(packet), "malformed mounts in a request");
}

TEST(WardenOrder, AnOrderThatDoesNotExistIsRefused) {
  std::vector<std::byte> packet = packet_of(order());
  packet[0] = std::byte{3};
  EXPECT_EQ(refusal(packet), "an unknown request");
}

TEST(WardenOrder, WhatWouldBeReadDifferentlyIsNotWritten) {
  WardenCall call = order();
  call.mounts[0].source = std::string("/usr\0/etc", 9);
  EXPECT_FALSE(write_call(call).has_value());
  call = order();
  call.profile = std::string(kMaxProfileName, 'a');
  EXPECT_FALSE(write_call(call).has_value());
  call = order();
  call.mounts[0].target = std::string(kMaxWardenRequest, 'a');
  EXPECT_FALSE(write_call(call).has_value());
}

}  // namespace
}  // namespace assay::sandbox
