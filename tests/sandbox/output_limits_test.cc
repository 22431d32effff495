#include <csignal>

#include "tests/support/box_test.h"

namespace assay::test {
namespace {

using sandbox::CutOff;
using sandbox::Exited;
using OutputLimits = BoxTest;

TEST_F(OutputLimits, EndlessOutputIsCutAtTheLimit) {
  const Outcome outcome =
      run({.guest = "print_forever", .arguments = {"1"}, .limits = {.output = 1_MiB}});
  EXPECT_EQ(outcome.letters, "OLE") << outcome;
  EXPECT_EQ(outcome.facts.cut_off_by, CutOff::Output);
  EXPECT_TRUE(outcome.facts.output.over_limit);
  EXPECT_LE(outcome.output.size(), (1_MiB).count);
  EXPECT_EQ(outcome.output.size(), outcome.facts.output.bytes);
}

TEST_F(OutputLimits, EndlessErrorsAreCutAtTheLimit) {
  const Outcome outcome =
      run({.guest = "print_forever", .arguments = {"2"}, .limits = {.output = 1_MiB}});
  EXPECT_EQ(outcome.letters, "OLE") << outcome;
  EXPECT_TRUE(outcome.facts.errors.over_limit);
  EXPECT_LE(outcome.errors.size(), (1_MiB).count);
}

TEST_F(OutputLimits, BothStreamsTogetherHaveALimitOfTheirOwn) {
  const Outcome outcome = run({.guest = "print_forever",
                               .arguments = {"1", "2"},
                               .limits = {.output = 64_MiB, .total_output = 1_MiB}});
  EXPECT_EQ(outcome.letters, "OLE") << outcome;
  EXPECT_LE(outcome.output.size() + outcome.errors.size(),
            (9_MiB).count);  // and what the pipes held
}

// It was over before anybody looked at its streams.
TEST_F(OutputLimits, TheLimitOfBothTogetherHoldsForWhatIsReadAfterTheEndToo) {
  for (const auto& [total, letters] : {std::pair{8_B, "RE"}, {7_B, "OLE"}}) {
    const Outcome outcome =
        run({.guest = "print_both_streams", .limits = {.output = 4_B, .total_output = total}});
    EXPECT_EQ(outcome.letters, letters) << outcome;
  }
}

TEST_F(OutputLimits, ExactlyTheLimitIsAllowedAndOneMoreIsNot) {
  for (const auto& [bytes, letters] : {std::pair{100000, "AC"}, {100001, "OLE"}}) {
    const Outcome outcome = run({.guest = "print_bytes",
                                 .arguments = {std::to_string(bytes)},
                                 .limits = {.output = 100000_B}});
    EXPECT_EQ(outcome.letters, letters) << outcome;
    EXPECT_EQ(outcome.output.size(), 100000U);
  }
}

TEST_F(OutputLimits, AnEndlessFileIsAnOutputLimit) {
  const Outcome outcome =
      run({.guest = "write_file_forever", .arguments = {"file"}, .limits = {.output = 1_MiB}});
  EXPECT_EQ(outcome.letters, "OLE") << outcome;
}

TEST_F(OutputLimits, AnEndlessFileOfAProgramThatIgnoresTheSignalIsAnOutputLimit) {
  const Outcome outcome = run({.guest = "write_file_forever",
                               .arguments = {"file", "patient"},
                               .limits = {.output = 1_MiB}});
  EXPECT_TRUE(outcome.facts.file_over_limit) << outcome;
  EXPECT_EQ(outcome.letters, "OLE") << outcome;
}

TEST_F(OutputLimits, AnEndlessFileOfAPythonProgramIsAnOutputLimit) {
  const std::string program = "f = open('file', 'w')\nwhile True: f.write('x' * 65536)";
  const Outcome outcome =
      run({.arguments = {"python3", "-c", program}, .limits = {.output = 1_MiB}});
  EXPECT_TRUE(outcome.facts.file_over_limit) << outcome;
  EXPECT_EQ(outcome.letters, "OLE") << outcome;
}

TEST_F(OutputLimits, AFileOverTheLimitIsNoSuccessHoweverItsProgramEnds) {
  const auto write = [this](const std::string& bytes) {
    return run({.arguments = {"/bin/sh", "-c",
                              "trap '' XFSZ; head -c " + bytes + " /dev/zero > f 2>&1; exit 0"},
                .limits = {.output = 1_MiB}});
  };
  EXPECT_EQ(write("1048576").letters, "AC");
  EXPECT_EQ(write("1048577").letters, "OLE");
  EXPECT_EQ(write("9000000").letters, "OLE");
}

// What was put in is not what the program wrote.
TEST_F(OutputLimits, AFileThatWasPutInMayBeLargerThanTheLimit) {
  const std::string content(3 << 20, 'x');
  for (const char* status : {"0", "3"}) {
    Prepared job({.arguments = {"/bin/sh", "-c", std::string("wc -c < big; exit ") + status},
                  .limits = {.output = 1_MiB}});
    job.spec.files_in.push_back({.name = "big", .content = content});
    const auto facts = engine().run(job.spec);
    ASSERT_TRUE(facts) << describe(facts.error());
    EXPECT_FALSE(facts->file_over_limit) << status;
  }
}

TEST_F(OutputLimits, AFileWithinTheLimitIsAllowed) {
  const Outcome outcome = run({.arguments = {"sh", "-c", "head -c 1048576 /dev/zero > file"},
                               .files_out = {"file"},
                               .limits = {.output = 1_MiB}});
  EXPECT_EQ(outcome.letters, "AC") << outcome;
  EXPECT_FALSE(outcome.facts.file_over_limit);
  EXPECT_EQ(outcome.files.at("file").size(), (1_MiB).count);
}

TEST_F(OutputLimits, AnEndlessDescriptorIsAnOutputLimit) {
  const os::OwnedFd file = file_of("");
  Prepared flood({.guest = "print_forever", .arguments = {"1"}, .limits = {.output = 1_MiB}});
  flood.spec.output = sandbox::Descriptor{file.get()};
  const auto facts = engine().run(flood.spec);
  ASSERT_TRUE(facts) << describe(facts.error());
  EXPECT_EQ(letters_of(*facts), "OLE");
  EXPECT_LE(content_of(file.get()).size(), (1_MiB).count + 1);
}

TEST_F(OutputLimits, AFloodFromAForkedTreeEndsToo) {
  const Outcome outcome =
      run({.arguments = {"sh", "-c", "yes & yes & yes"}, .limits = {.output = 1_MiB}});
  EXPECT_EQ(outcome.letters, "OLE") << outcome;
}

TEST_F(OutputLimits, WhatWasPrintedBeforeACrashIsKept) {
  const Outcome outcome = run({.arguments = {"sh", "-c", "echo before; kill -SEGV $$"}});
  EXPECT_EQ(outcome.output, "before\n") << outcome;
  EXPECT_EQ(outcome.letters, "RE");
}

}  // namespace
}  // namespace assay::test
