#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <thread>

#include "os/file.h"
#include "tests/support/box_test.h"

namespace assay::test {
namespace {

using sandbox::Collect;
using sandbox::Descriptor;
using sandbox::Exited;
using sandbox::Nothing;
using Streams = BoxTest;

TEST_F(Streams, TextIsCollectedFromEachStreamApart) {
  const Outcome outcome = run({.guest = "print_both_streams"});
  EXPECT_TRUE(ended_as(outcome, Exited{3})) << outcome;
  EXPECT_EQ(outcome.output, "out\n");
  EXPECT_EQ(outcome.errors, "err\n");
  EXPECT_EQ(outcome.facts.output.bytes, 4U);
  EXPECT_EQ(outcome.facts.errors.bytes, 4U);
}

TEST_F(Streams, InputIsReadFromADescriptor) {
  const std::string text(300'000, 'i');
  EXPECT_EQ(run({.guest = "echo_input", .input = text}).output, text);
}

TEST_F(Streams, OutputGoesToADescriptor) {
  const os::OwnedFd file = file_of("");
  Prepared job({.guest = "print_both_streams"});
  job.spec.output = Descriptor{file.get()};
  job.spec.errors = Descriptor{file.get()};
  ASSERT_TRUE(engine().run(job.spec));
  EXPECT_EQ(content_of(file.get()), "out\nerr\n");
}

TEST_F(Streams, CollectedOutputGoesIntoAFile) {
  const os::OwnedFd file = file_of("");
  Prepared job({.guest = "print_bytes", .arguments = {"3000000"}});
  job.spec.output = Collect{.sink = file.get()};
  const auto facts = engine().run(job.spec);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->output.bytes, 3'000'000U);
  EXPECT_EQ(content_of(file.get()).size(), 3'000'000U);
}

Nanoseconds own_time() {
  timespec used{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + Nanoseconds(used.tv_nsec);
}

// It was two fifths of the program's, in nobody's account: a watcher that wakes for every byte.
TEST_F(Streams, WhoeverWritesByteByByteHasUsWorkLittle) {
  NEEDS_METERS();
  const Nanoseconds before = own_time();
  const Outcome outcome = run({.guest = "print_bytes", .arguments = {"500000", "1", "1"}});
  const Nanoseconds ours = own_time() - before;
  EXPECT_EQ(outcome.output.size(), 500'000U) << outcome.letters;
  if (std::getenv("ASSAY_VM") != nullptr) return;  // there, waking up costs as much as 300 bytes
  EXPECT_LT(ours, outcome.facts.cpu_total / 5)
      << ours.count() << " ns beside " << outcome.facts.cpu_total.count();
}

TEST_F(Streams, AShortOutputIsATextAndALongOneAFile) {
  const std::pair<const char*, std::size_t> sizes[] = {
      {"0", 0}, {"4096", 4096}, {"4097", 4097}, {"3000000", 3'000'000}};
  for (const auto& [argument, size] : sizes) {
    std::string text;
    os::OwnedFd file;
    Prepared job({.guest = "print_bytes", .arguments = {argument}});
    job.spec.output = Collect{.text = &text, .overflow = &file, .most_text = 4_KiB};
    const auto facts = engine().run(job.spec);
    ASSERT_TRUE(facts);
    EXPECT_EQ(facts->output.bytes, size);
    EXPECT_EQ(file.is_open(), size > 4096) << argument;
    EXPECT_EQ(text.size(), size > 4096 ? 0 : size) << argument;
    EXPECT_EQ(file.is_open() ? content_of(file.get()).size() : size, size) << argument;
  }
}

TEST_F(Streams, ALimitHoldsForWhatWentIntoAFileToo) {
  std::string text;
  os::OwnedFd file;
  Prepared job({.guest = "print_forever", .arguments = {"1"}});
  job.spec.output =
      Collect{.text = &text, .limit = 100'000_B, .overflow = &file, .most_text = 4_KiB};
  const auto facts = engine().run(job.spec);
  ASSERT_TRUE(facts);
  EXPECT_EQ(letters_of(*facts), "OLE");
  EXPECT_EQ(content_of(file.get()).size(), 100'000U);
}

TEST_F(Streams, CollectedOutputGoesIntoAPipeThatIsReadSlowly) {
  os::Pipe pipe = os::make_pipe().value();
  std::string read;
  std::thread reader([&] {
    std::array<char, 999> block;
    for (ssize_t got = 0; (got = ::read(pipe.read_end.get(), block.data(), block.size())) > 0;)
      read.append(block.data(), static_cast<std::size_t>(got));
  });
  Prepared job({.guest = "print_bytes", .arguments = {"3000000"}});
  job.spec.output = Collect{.sink = pipe.write_end.get()};
  const auto facts = engine().run(job.spec);
  pipe.write_end.reset();
  reader.join();
  ASSERT_TRUE(facts);
  EXPECT_EQ(letters_of(*facts), "AC");
  EXPECT_EQ(read.size(), 3'000'000U);
}

TEST_F(Streams, AReaderThatGoesAwayDoesNotChangeTheFacts) {
  os::Pipe pipe = os::make_pipe().value();
  pipe.read_end.reset();
  const auto before = ::signal(SIGPIPE, SIG_IGN);  // as every main of ours does
  Prepared job({.guest = "print_bytes", .arguments = {"3000000"}});
  job.spec.output = Collect{.sink = pipe.write_end.get()};
  const auto facts = engine().run(job.spec);
  ::signal(SIGPIPE, before);
  ASSERT_TRUE(facts) << describe(facts.error());
  EXPECT_EQ(letters_of(*facts), "AC");
}

TEST_F(Streams, NothingIsAnEmptyInputAndABottomlessOutput) {
  Prepared job({.guest = "echo_input"});
  job.spec.input = Nothing{};
  job.spec.output = Nothing{};
  job.spec.errors = Nothing{};
  const auto facts = engine().run(job.spec);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->end, sandbox::End(Exited{0}));
}

TEST_F(Streams, MoreDescriptorsBecomeThreeAndOn) {
  const os::OwnedFd from = file_of("through three");
  const os::OwnedFd to = file_of("");
  Prepared job({.guest = "echo_lines_from_fd", .arguments = {"3", "4"}});
  job.spec.more_streams = {sandbox::Descriptor{from.get()}, sandbox::Descriptor{to.get()}};
  const auto facts = engine().run(job.spec);
  ASSERT_TRUE(facts);
  EXPECT_EQ(content_of(to.get()), "through three");
  EXPECT_EQ(job.outcome.errors, "end");
}

TEST_F(Streams, AProgramHasExactlyTheDescriptorsAskedFor) {
  const os::OwnedFd extra = file_of("");
  for (const unsigned more : {0U, 1U, 3U, 100U}) {
    Prepared job({.guest = "list_fds"});
    job.spec.more_streams.assign(more, sandbox::Descriptor{extra.get()});
    ASSERT_TRUE(engine().run(job.spec));
    std::string expected;
    for (unsigned fd = 0; fd < 3 + more; ++fd)
      expected += std::to_string(fd) + "\n";
    EXPECT_EQ(job.outcome.output, expected + "cwd /w\n");
  }
}

TEST_F(Streams, TooManyDescriptorsAreAnInvalidRequest) {
  const os::OwnedFd extra = file_of("");
  Prepared job({.guest = "list_fds"});
  job.spec.more_streams.assign(500, sandbox::Descriptor{extra.get()});
  const auto facts = engine().run(job.spec);
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().fault, Fault::InvalidRequest);
}

TEST_F(Streams, ABadDescriptorIsAnErrorAndTheEngineGoesOn) {
  Prepared job({.guest = "exit_code"});
  job.spec.input = Descriptor{-1};
  EXPECT_FALSE(engine().run(job.spec));
  job.spec.input = Descriptor{9999};
  EXPECT_FALSE(engine().run(job.spec));
  EXPECT_EQ(run({.guest = "exit_code"}).letters, "AC");
}

// As in readFileSync("/dev/stdin"), or print > "/dev/stdout".
TEST_F(Streams, AProgramCanOpenItsStreamsByName) {
  const Outcome outcome =
      run({.arguments = {"sh", "-c", "cat /dev/stdin > /dev/stdout; echo err > /dev/stderr"},
           .input = "text"});
  EXPECT_EQ(outcome.output, "text") << outcome;
  EXPECT_EQ(outcome.errors, "err\n") << outcome;
}

TEST_F(Streams, AProgramCanOpenAPipeOnItsInputByName) {
  os::Pipe pipe = os::make_open_pipe().value();
  ASSERT_EQ(::write(pipe.write_end.get(), "piped", 5), 5);
  pipe.write_end.reset();
  Prepared job({.arguments = {"cat", "/dev/stdin"}, .limits = {.wall_time = scaled(2s)}});
  job.spec.input = Descriptor{pipe.read_end.get()};
  ASSERT_TRUE(engine().run(job.spec));
  EXPECT_EQ(job.outcome.output, "piped") << job.outcome;
}

TEST_F(Streams, APipeThatIsBorrowedKeepsItsMode) {
  os::Pipe pipe = os::make_pipe().value();
  pipe.write_end.reset();
  Prepared job({.arguments = {"cat"}, .limits = {.wall_time = scaled(2s)}});
  job.spec.input = Descriptor{pipe.read_end.get()};
  ASSERT_TRUE(engine().run(job.spec));
  struct stat found{};
  ASSERT_EQ(::fstat(pipe.read_end.get(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600U);
}

TEST_F(Streams, BinaryOutputComesThroughUnchanged) {
  std::string bytes;
  for (int i = 0; i < 5000; ++i)
    bytes += static_cast<char>(i * 7);
  EXPECT_EQ(run({.guest = "echo_input", .input = bytes}).output, bytes);
}

}  // namespace
}  // namespace assay::test
