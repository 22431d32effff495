// Files reach a box in two ways, with the request or before it, and streams that are files are made
// ahead: a program must not be able to tell.
#include <algorithm>

#include "tests/support/box_test.h"

namespace assay::test {
namespace {

using sandbox::BoxFile;
using sandbox::FileStage;
using sandbox::NotStarted;

// Its argument: how many bytes are added so that the files travel one way or the other.
class PutIn : public BoxTest, public testing::WithParamInterface<std::size_t> {
 protected:
  Prepared prepare(const Job& job) {
    Prepared prepared(job);
    prepared.spec.files_in.push_back({.name = "/tmp/weight", .content = weight_});
    return prepared;
  }

  const std::string weight_ = std::string(GetParam(), 'w');
};
INSTANTIATE_TEST_SUITE_P(EitherWay, PutIn, testing::Values(0, 200'000));

TEST_P(PutIn, DirectoriesFilesCopiesAndLinksArriveWithTheirModes) {
  const os::OwnedFd source = file_of("copied");
  Prepared job =
      prepare({.arguments = {"sh", "-c",
                             "stat -c '%A %u %s %n' d d/plain d/tool copy; readlink l; cat "
                             "d/plain copy l; wc -c < /tmp/weight"}});
  job.spec.directories_in = {{.name = "d", .mode = 0700}};
  job.spec.files_in.push_back({.name = "d/plain", .content = "plain\n"});
  job.spec.files_in.push_back({.name = "d/tool", .executable = true, .content = ""});
  job.spec.files_in.push_back({.name = "copy", .source = source.get(), .mode = 0400});
  job.spec.links_in = {{.name = "l", .target = "d/plain"}};
  const auto facts = engine().run(job.spec);
  ASSERT_TRUE(facts) << describe(facts.error());
  const std::string& output = job.outcome.output;
  std::string owner;
  const std::size_t space = output.find(' ');
  ASSERT_NE(space, std::string::npos) << output;
  owner = output.substr(space + 1, output.find(' ', space + 1) - space - 1);
  EXPECT_NE(owner, "0");
  EXPECT_TRUE(output.starts_with("drwx------ " + owner)) << output;
  EXPECT_TRUE(output.contains("-rw-r--r-- " + owner + " 6 d/plain\n")) << output;
  EXPECT_TRUE(output.contains("-rwxr-xr-x " + owner + " 0 d/tool\n")) << output;
  EXPECT_TRUE(output.contains("-r-------- " + owner + " 6 copy\n")) << output;
  EXPECT_TRUE(output.ends_with("d/plain\nplain\ncopiedplain\n" + std::to_string(GetParam()) + "\n"))
      << output;
}

TEST_P(PutIn, WhatCannotBeMadeIsNamed) {
  Prepared job = prepare({.arguments = {"true"}});
  job.spec.files_in.push_back({.name = "a", .content = "x"});
  job.spec.files_in.push_back({.name = "a/b", .content = "x"});
  const auto facts = engine().run(job.spec);
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().fault, Fault::InvalidRequest);
  EXPECT_EQ(facts.error().code, ENOTDIR);
  EXPECT_TRUE(facts.error().context.contains("'a/b'")) << facts.error().context;
  EXPECT_EQ(run({.arguments = {"ls"}}).output, "");
}

TEST_P(PutIn, InAGroupItIsAFactAndTheOthersRun) {
  Prepared broken = prepare({.arguments = {"cat"}});
  broken.spec.links_in = {{.name = "twice", .target = "x"}, {.name = "twice", .target = "y"}};
  broken.spec.output = sandbox::Joined{.pipe = 0};
  Prepared reader({.arguments = {"cat"}});
  reader.spec.input = sandbox::Joined{.pipe = 0};
  const std::vector<sandbox::Spec> specs{broken.spec, reader.spec};
  const auto facts = engine().run_together(specs);
  ASSERT_TRUE(facts) << describe(facts.error());
  const auto* end = std::get_if<NotStarted>(&facts->at(0).end);
  ASSERT_NE(end, nullptr);
  EXPECT_EQ(end->step, sandbox::kPutIn);
  ASSERT_EQ(facts->at(0).file_errors.size(), 1U);
  EXPECT_EQ(facts->at(0).file_errors[0].stage, FileStage::Link);
  EXPECT_EQ(facts->at(0).file_errors[0].error, EEXIST);
  EXPECT_TRUE(std::holds_alternative<sandbox::Exited>(facts->at(1).end));
}

TEST_P(PutIn, WhatDoesNotFitIsOurFailureAndLeavesNothing) {
  const os::OwnedFd source = file_of(std::string(1 << 20, 'x'));
  Prepared job = prepare({.arguments = {"true"}, .limits = {.disk = 512_KiB}});
  job.spec.files_in.push_back({.name = "large", .source = source.get()});
  const auto facts = engine().run(job.spec);
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().code, ENOSPC);
  EXPECT_EQ(run({.arguments = {"ls"}}).output, "");
}

// Their pages are not the program's: it has its whole limit for itself.
TEST_P(PutIn, FilesAreNotChargedToTheProgram) {
  NEEDS_METERS();
  const os::OwnedFd source = file_of(std::string(3 << 20, 'x'));
  Prepared job = prepare({.guest = "touch_memory_mib", .arguments = {"1"}});
  const auto without = engine().run(job.spec);
  Prepared again = prepare({.guest = "touch_memory_mib", .arguments = {"1"}});
  again.spec.files_in.push_back({.name = "data", .source = source.get()});
  const auto with = engine().run(again.spec);
  ASSERT_TRUE(without && with);
  EXPECT_LT(with->memory_peak.count, without->memory_peak.count + (2U << 20));
}

class Spares : public BoxTest {
 protected:
  // What the program sees in its directory, and what it wrote.
  std::string list(const std::vector<std::string>& names) {
    Prepared job({.arguments = {"sh", "-c", "ls; ls >&2"}});
    std::vector<os::OwnedFd> files(names.size());
    sandbox::Stream* const streams[] = {&job.spec.output, &job.spec.errors};
    for (std::size_t i = 0; i < names.size(); ++i)
      *streams[i] = BoxFile{.name = names[i], .file = &files[i]};
    const auto facts = engine().run(job.spec);
    EXPECT_TRUE(facts) << describe(facts.error());
    return files.empty() ? job.outcome.output : content_of(files[0].get());
  }
};

TEST_F(Spares, AProgramSeesItsOwnStreamsAndNoneOfTheLastRuns) {
  for (int round = 0; round < 2; ++round) {
    for (int again = 0; again < 3; ++again)
      EXPECT_EQ(list({"out", "err"}), "err\nout\n");
    EXPECT_EQ(list({}), "");
    EXPECT_EQ(list({"out"}), "out\n");
    EXPECT_EQ(list({"err", "out"}), "err\nout\n");
    EXPECT_EQ(list({"sub/out"}), "sub\n");
    EXPECT_EQ(list({"sub/out"}), "sub\n");
    EXPECT_EQ(list({std::string(100, 'n')}), std::string(100, 'n') + "\n");
  }
}

TEST_F(Spares, AFileOfTheLastRunStaysAsItWas) {
  os::OwnedFd first, second;
  for (os::OwnedFd* file : {&first, &second}) {
    Prepared job({.arguments = {"sh", "-c", "echo $0", file == &first ? "first" : "second"}});
    job.spec.output = BoxFile{.name = "out", .file = file};
    ASSERT_TRUE(engine().run(job.spec));
  }
  EXPECT_EQ(content_of(first.get()), "first\n");
  EXPECT_EQ(content_of(second.get()), "second\n");
}

}  // namespace
}  // namespace assay::test
