#include "transport/live_end.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "os/fd.h"

namespace assay::transport {
namespace {

// The ^D of a terminal is nobody's input: counted as such, the bytes that wait became fewer than
// none. And whoever wrote before it was told nothing.
TEST(LiveEnd, TellsEachWriterOfItsOwnBytesWhenATerminalsInputEndsBetweenThem) {
  boost::asio::io_context io;
  auto pipe = os::make_pipe(O_NONBLOCK);
  ASSERT_TRUE(pipe);
  const auto end = std::make_shared<LiveEnd>(io.get_executor(), std::move(pipe->write_end), true);
  std::size_t first = 0, second = 0;
  end->write(std::string(200'000, 'a'), [&](std::size_t taken) { first += taken; });
  for (int i = 0; i < 3; ++i)
    end->write_end();
  end->write(std::string(1'000, 'b'), [&](std::size_t taken) { second += taken; });
  EXPECT_EQ(first, 0U);  // more than the pipe takes at once
  std::string got, piece(65536, '\0');
  while (got.size() < 201'003) {
    const ssize_t size = ::read(pipe->read_end.get(), piece.data(), piece.size());
    if (size > 0) got.append(piece, 0, static_cast<std::size_t>(size));
    io.restart();
    io.run_one_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(first, 200'000U);
  EXPECT_EQ(second, 1'000U);
  EXPECT_EQ(got.substr(199'999, 5), "a\4\4\4b");
}

}  // namespace
}  // namespace assay::transport
