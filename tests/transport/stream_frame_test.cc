#include "transport/stream_frame.h"

#include <gtest/gtest.h>

namespace assay::transport {
namespace {

using Kind = StreamFrame::Kind;

std::string refusal(std::string_view message, bool started = true) {
  const StreamFrame frame = read_stream_frame(message, started);
  return frame.refusal == nullptr ? "" : frame.refusal;
}

TEST(StreamFrame, TheFirstMessageIsARequestAndNoOtherMayBe) {
  const StreamFrame frame = read_stream_frame("\1{}", false);
  EXPECT_EQ(frame.kind, Kind::Request);
  EXPECT_EQ(frame.rest, "{}");
  EXPECT_EQ(refusal("\1{}"), "a second request");
  EXPECT_EQ(refusal("\4", false), "the first message must be a request");
  EXPECT_EQ(refusal("", false), "an empty message");
  EXPECT_EQ(refusal(""), "an empty message");
}

TEST(StreamFrame, AnInputNamesItsStreamInOneByte) {
  const StreamFrame frame = read_stream_frame("\3\x12hello", true);
  EXPECT_EQ(frame.kind, Kind::Input);
  EXPECT_EQ(frame.stream, stream_id(1, 2));
  EXPECT_EQ(frame.rest, "hello");
  EXPECT_EQ(read_stream_frame("\3\x12", true).rest, "");
  EXPECT_EQ(refusal("\3"), "an input without its stream");
}

TEST(StreamFrame, AnEndNamesOneStreamAndNothingElse) {
  EXPECT_EQ(read_stream_frame("\5\x21", true).kind, Kind::End);
  EXPECT_EQ(read_stream_frame("\5\x21", true).stream, stream_id(2, 1));
  EXPECT_EQ(refusal("\5"), "an end without its stream");
  EXPECT_EQ(refusal("\5\x21\x22"), "an end without its stream");
}

TEST(StreamFrame, AnUnknownTypeIsRefused) {
  EXPECT_EQ(refusal("\6"), "an unknown type of message");
  EXPECT_EQ(refusal("\xff"), "an unknown type of message");
  EXPECT_EQ(read_stream_frame("\4", true).kind, Kind::Cancel);
  EXPECT_EQ(read_stream_frame("\2{}", true).kind, Kind::Resize);
}

TEST(StreamIds, AStreamThatAByteCannotNameIsRefused) {
  exec::Request request;
  request.commands.resize(16);
  request.commands[15].files.assign(16, exec::StreamOut{});
  request.commands[15].files[0] = exec::StreamIn{};
  const auto ids = stream_ids(request);
  ASSERT_TRUE(ids.has_value());
  EXPECT_EQ(ids->size(), 16U);
  EXPECT_TRUE(ids->at(0xf0));
  EXPECT_FALSE(ids->at(0xff));
  request.commands[15].files.emplace_back(exec::StreamIn{});
  EXPECT_FALSE(stream_ids(request).has_value());
}

}  // namespace
}  // namespace assay::transport
