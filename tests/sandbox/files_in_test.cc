#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "tests/support/box_test.h"

namespace assay::test {
namespace {

using FilesIn = BoxTest;

std::vector<std::string> listed(const Outcome& outcome) {
  std::vector<std::string> lines;
  std::string line;
  for (const char c : outcome.output) {
    if (c != '\0') {
      line += c;
      continue;
    }
    if (!line.ends_with(" guest")) lines.push_back(line);
    line.clear();
  }
  std::ranges::sort(lines);
  return lines;
}

TEST_F(FilesIn, ThreeHundredFilesArrive) {
  Job job{.guest = "list_files"};
  for (int i = 0; i < 300; ++i)
    job.files_in.push_back(
        {"file" + std::to_string(i), std::string(static_cast<std::size_t>(i), 'x')});
  for (int round = 0; round < 2; ++round) {
    const auto lines = listed(run(job));
    ASSERT_EQ(lines.size(), 300U);
    EXPECT_EQ(lines.front(), "0 644 file0");
    EXPECT_EQ(lines.back(), "99 644 file99");
  }
}

TEST_F(FilesIn, OddNamesArriveByteForByte) {
  const std::vector<std::string> names = {
      " ", "-rf", "a b", "a\nb", "\xff", "d/e/f", "d/e/g", "..x", std::string(255, 'n')};
  Job job{.guest = "list_files"};
  std::vector<std::string> expected;
  for (const std::string& name : names) {
    job.files_in.push_back({name, "12345"});
    expected.push_back("5 644 " + name);
  }
  std::ranges::sort(expected);
  EXPECT_EQ(listed(run(job)), expected);
}

TEST_F(FilesIn, AnExecutableFileIsExecutableAndOthersAreNot) {
  const Outcome outcome =
      run({.guest = "list_files", .files_in = {{"data", ""}, {"program", "", true}}});
  EXPECT_EQ(listed(outcome), (std::vector<std::string>{"0 644 data", "0 755 program"}));
}

TEST_F(FilesIn, AProgramMayChangeAndRemoveItsFiles) {
  const Outcome outcome =
      run({.arguments = {"sh", "-c", "echo more >> d/data && rm other && ls -R"},
           .files_in = {{"d/data", "some"}, {"other", ""}},
           .files_out = {"d/data"}});
  EXPECT_EQ(outcome.letters, "AC") << outcome;
  EXPECT_EQ(outcome.files.at("d/data"), "somemore\n");
}

TEST_F(FilesIn, AnAbsoluteNameIsInsideTheBox) {
  const Outcome outcome =
      run({.arguments = {"cat", "/tmp/deep/file"}, .files_in = {{"/tmp/deep/file", "inside"}}});
  EXPECT_EQ(outcome.output, "inside") << outcome;
}

TEST_F(FilesIn, ANameThatLeavesTheBoxIsAnInvalidRequest) {
  const std::vector<std::string> names = {"../x",
                                          "a/../../b",
                                          "..",
                                          "a/..",
                                          "",
                                          "a/",
                                          "/",
                                          std::string("a\0b", 3),
                                          std::string(256, 'n'),
                                          std::string(5000, 'n')};
  for (const std::string& name : names) {
    const auto outcome = try_run({.guest = "exit_code", .files_in = {{name, "x"}}});
    ASSERT_FALSE(outcome) << name;
    EXPECT_EQ(outcome.error().fault, Fault::InvalidRequest) << describe(outcome.error());
  }
  EXPECT_EQ(run({.guest = "exit_code"}).letters, "AC");
}

TEST_F(FilesIn, APlaceThatIsReadOnlyIsAnInvalidRequest) {
  for (const std::string name : {"/usr/bin/new", "/etc/passwd", "/new", "/proc/new", "/dev/null"}) {
    const auto outcome = try_run({.guest = "exit_code", .files_in = {{name, "x"}}});
    ASSERT_FALSE(outcome) << name;
    EXPECT_EQ(outcome.error().fault, Fault::InvalidRequest) << describe(outcome.error());
  }
}

TEST_F(FilesIn, TheSameNameTwiceIsAnInvalidRequest) {
  const auto outcome =
      try_run({.guest = "exit_code", .files_in = {{"twice", "a"}, {"twice", "b"}}});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().fault, Fault::InvalidRequest);
}

TEST_F(FilesIn, BytesAreReadFromTheCurrentOffset) {
  const os::OwnedFd file = file_of("skipped kept");
  ::lseek(file.get(), 8, SEEK_SET);
  Prepared job({.arguments = {"cat", "file"}});
  job.spec.files_in.push_back({.name = "file", .source = file.get()});
  ASSERT_TRUE(engine().run(job.spec));
  EXPECT_EQ(job.outcome.output, "kept");
}

TEST_F(FilesIn, APipeIsASource) {
  os::Pipe pipe = os::make_pipe().value();
  ASSERT_EQ(::write(pipe.write_end.get(), "piped", 5), 5);
  pipe.write_end.reset();
  Prepared job({.arguments = {"cat", "file"}});
  job.spec.files_in.push_back({.name = "file", .source = pipe.read_end.get()});
  const auto facts = engine().run(job.spec);
  ASSERT_TRUE(facts) << describe(facts.error());
  EXPECT_EQ(job.outcome.output, "piped");
}

// Nobody may hold the program open for writing any more when it is executed, however busy the
// machine is.
TEST_F(FilesIn, AProgramCanBeExecutedAsSoonAsItIsPutIn) {
  std::atomic<bool> busy = true;
  std::vector<std::thread> others;
  for (int i = 0; i < 6; ++i)
    others.emplace_back([&] {
      while (busy) {
      }
    });
  int refused = 0;
  for (int round = 0; round < 200; ++round)
    if (!ended_as(run({.guest = "exit_code"}), sandbox::Exited{0})) ++refused;
  busy = false;
  for (std::thread& other : others)
    other.join();
  EXPECT_EQ(refused, 0) << "of 200 runs";
}

TEST_F(FilesIn, AFileTooLargeForTheBoxIsAnErrorAndTheEngineGoesOn) {
  const auto outcome =
      try_run({.guest = "exit_code", .files_in = {{"large", std::string(300 << 20, 'x')}}});
  EXPECT_FALSE(outcome);
  EXPECT_EQ(run({.guest = "exit_code"}).letters, "AC");
}

}  // namespace
}  // namespace assay::test
