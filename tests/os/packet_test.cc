#include "os/packet.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace assay::os {
namespace {

std::span<const std::byte> bytes(const std::string& text) {
  return std::as_bytes(std::span(text));
}

TEST(Packet, ArrivesWholeWithItsDescriptorsInOrder) {
  const PacketPair pair = *make_packet_pair();
  const Pipe pipe = *make_pipe();
  ASSERT_TRUE(send_packet(pair.ours.get(), bytes("hello"),
                          std::vector{pipe.read_end.get(), pipe.write_end.get()}));
  std::vector<std::byte> room(64);
  const auto received = receive_packet(pair.theirs.get(), room);
  ASSERT_TRUE(received);
  EXPECT_EQ(received->size, 5U);
  ASSERT_EQ(received->fds.size(), 2U);
  ASSERT_EQ(::write(received->fds[1].get(), "x", 1), 1);
  char got = 0;
  EXPECT_EQ(::read(received->fds[0].get(), &got, 1), 1);
  EXPECT_EQ(got, 'x');
}

TEST(Packet, TwoSendsAreTwoReceives) {
  const PacketPair pair = *make_packet_pair();
  ASSERT_TRUE(send_packet(pair.ours.get(), bytes("one")));
  ASSERT_TRUE(send_packet(pair.ours.get(), bytes("three")));
  std::vector<std::byte> room(64);
  EXPECT_EQ(receive_packet(pair.theirs.get(), room)->size, 3U);
  EXPECT_EQ(receive_packet(pair.theirs.get(), room)->size, 5U);
}

TEST(Packet, OneThatDoesNotFitIsAnErrorAndLeaksNoDescriptor) {
  const PacketPair pair = *make_packet_pair();
  const Pipe pipe = *make_pipe();
  ASSERT_TRUE(
      send_packet(pair.ours.get(), bytes("too long for that"), std::vector{pipe.read_end.get()}));
  std::vector<std::byte> room(4);
  const int before = ::dup(0);
  ::close(before);
  EXPECT_EQ(receive_packet(pair.theirs.get(), room).error().code, EMSGSIZE);
  const int after = ::dup(0);
  ::close(after);
  EXPECT_EQ(before, after);
}

TEST(Packet, TheEndOfTheOtherSideIsAnEmptyPacket) {
  PacketPair pair = *make_packet_pair();
  pair.ours.reset();
  std::vector<std::byte> room(4);
  EXPECT_EQ(receive_packet(pair.theirs.get(), room)->size, 0U);
  EXPECT_FALSE(send_packet(pair.theirs.get(), bytes("x")));
}

TEST(Packet, WithoutWaitingNothingIsEagain) {
  const PacketPair pair = *make_packet_pair();
  std::vector<std::byte> room(4);
  EXPECT_EQ(receive_packet(pair.theirs.get(), room, Wait::No).error().code, EAGAIN);
}

}  // namespace
}  // namespace assay::os
