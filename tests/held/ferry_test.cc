// The program's streams and the named pipes, with a test in the program's place.
#include "held/ferry.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <future>

#include "os/file.h"
#include "tests/held/client.h"

namespace assay::held {
namespace {

using namespace std::chrono_literals;
using test::Client;

class HeldFerry : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = "/tmp/assay-held-XXXXXX";
    directory_ = ::mkdtemp(pattern.data());
    auto fifos = Fifos::make(directory_, "");
    ASSERT_TRUE(fifos) << describe(fifos.error());
    usher_.emplace(*Usher::make(std::move(*fifos)));
    doors_.emplace(usher_->doors());
    usher_->serve();
    for (const int ours : {input_.write_end.get(), output_.read_end.get()})
      ASSERT_EQ(::fcntl(ours, F_SETFL, O_NONBLOCK), 0);
    ferry_.emplace(*Ferry::start(*doors_, {.to_program = std::move(input_.write_end),
                                           .from_program = std::move(output_.read_end),
                                           .limit = 1_MiB,
                                           .over_limit = [this] {
                                             over_limit_.set_value();
                                           }}));
  }
  void TearDown() override {
    ferry_.reset();
    usher_.reset();
    std::filesystem::remove_all(directory_);
  }

  [[nodiscard]] Client client() const { return Client(directory_); }
  std::string program_reads() {
    std::array<char, 4096> text;
    const ssize_t got = ::read(input_.read_end.get(), text.data(), text.size());
    return got <= 0 ? "" : std::string(text.data(), static_cast<std::size_t>(got));
  }
  void program_writes(std::string_view text) {
    EXPECT_TRUE(os::write_all(output_.write_end.get(), text));
  }

  std::string directory_;
  std::optional<Usher> usher_;
  std::optional<Doors> doors_;
  os::Pipe input_ = *os::make_pipe(), output_ = *os::make_pipe();
  std::promise<void> over_limit_;
  std::optional<Ferry> ferry_;
};

TEST_F(HeldFerry, CarriesBothWaysAndPassesTheEndOn) {
  ASSERT_EQ(client().write("downward", "question\n"), 0);
  EXPECT_EQ(program_reads(), "question\n");
  EXPECT_EQ(program_reads(), "");  // the client has closed
  program_writes("answer\n");
  output_.write_end.reset();
  EXPECT_EQ(client().read("upward"), "answer\n");
}

TEST_F(HeldFerry, LetsAClientOpenBothPipesBeforeAnythingIsSaid) {
  const auto down = os::open(client().path("downward"), O_WRONLY);
  const auto up = os::open(client().path("upward"), O_RDONLY);
  ASSERT_TRUE(down && up);
  EXPECT_TRUE(os::write_all(down->get(), "ping"));
  EXPECT_EQ(program_reads(), "ping");
  program_writes("pong");
  std::array<char, 4> text;
  EXPECT_EQ(::read(up->get(), text.data(), text.size()), 4);
}

TEST_F(HeldFerry, KeepsOutputForAClientThatComesLater) {
  program_writes("early");
  output_.write_end.reset();
  EXPECT_EQ(client().read("upward"), "early");
}

TEST_F(HeldFerry, KeepsWhatAClientLeftForTheNext) {
  auto first = os::open(client().path("upward"), O_RDONLY);
  ASSERT_TRUE(first);
  program_writes("onetwo");
  std::string text(3, '\0');
  ASSERT_EQ(::read(first->get(), text.data(), 3), 3);
  EXPECT_EQ(text, "one");
  first->reset();
  program_writes("three");  // no SIGPIPE, no error
  output_.write_end.reset();
  EXPECT_EQ(client().read("upward"), "twothree");
}

TEST_F(HeldFerry, ShowsTheEndToEveryClientThatComes) {
  output_.write_end.reset();
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(client().read("upward"), "");
}

TEST_F(HeldFerry, LetsClientsWriteToAProgramThatHasEnded) {
  input_.read_end.reset();
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(client().write("downward", std::string(200'000, 'x')), 0);
}

TEST_F(HeldFerry, LetsAProgramThatNobodyReadsWaitUntilOutputIsDiscarded) {
  auto writing = std::async(std::launch::async, [this] {
    program_writes(std::string(900'000, 'x'));
    output_.write_end.reset();
  });
  EXPECT_EQ(writing.wait_for(100ms), std::future_status::timeout);
  ferry_->discard_output();
  EXPECT_EQ(writing.wait_for(10s), std::future_status::ready);
}

TEST_F(HeldFerry, CutsOutputAtTheLimitAndTells) {
  auto writing = std::async(std::launch::async, [this] {
    program_writes(std::string(2 << 20, 'x'));
    output_.write_end.reset();
  });
  EXPECT_EQ(client().read("upward").size(), 1U << 20);
  EXPECT_EQ(over_limit_.get_future().wait_for(10s), std::future_status::ready);
  writing.get();
}

TEST_F(HeldFerry, StopsWhateverIsUnderWay) {
  program_writes("for nobody");  // and nobody writes, either
}

}  // namespace
}  // namespace assay::held
