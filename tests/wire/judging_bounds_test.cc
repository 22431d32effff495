// How much a submission or a problem may make us keep, however short it is.
#include <gtest/gtest.h>

#include <cstring>

#include "wire/judging.h"

namespace assay::wire {
namespace {

// One large file, which a client has stored once and names as often as it likes.
class OneLargeFile final : public service::Contents {
 public:
  Result<judge::Content> stored(const std::string&) override {
    return judge::Content{.text = std::string(size, 'x')};
  }
  Result<judge::Content> host_file(const std::string&) override { return invalid("none"); }
  Result<judge::Content> text(std::string text) override {
    return judge::Content{.text = std::move(text)};
  }
  std::size_t size = 16 << 20;
};

std::string named(int count) {
  std::string list;
  for (int i = 0; i < count; ++i)
    list += (i == 0 ? "" : ",") + std::string(R"({"name":"f)") + std::to_string(i) +
            R"(.txt","fileId":"F"})";
  return "[" + list + "]";
}

std::string submission(const std::string& more) {
  return R"({"language":"c",)" + more + R"("problem":{"tests":[{"input":"1","answer":"2"}]}})";
}

class JudgingBounds : public testing::Test {
 protected:
  Error refusal(const std::string& json, service::Supply::Cover cover = {}) {
    service::Supply supply(contents_, std::move(cover));
    const auto request = decode_submission(json, supply);
    return request ? Error{Fault::System, 0, "it was accepted"} : request.error();
  }
  std::string problem_refusal(const std::string& json) {
    service::Supply supply(contents_);
    const auto problem = decode_problem(json, supply);
    return problem ? "it was accepted" : describe(problem.error());
  }
  OneLargeFile contents_;
};

TEST_F(JudgingBounds, AShortRequestThatNamesALargeFileOftenIsRefusedBeforeItIsRead) {
  const Error five = refusal(submission(R"("sources":)" + named(5) + ","));
  EXPECT_EQ(five.fault, Fault::InvalidRequest);
  EXPECT_EQ(describe(five),
            "$.sources[4]: the sources of a request have at most 64.0 MiB together");
  service::Supply supply(contents_);
  const auto four = decode_submission(submission(R"("sources":)" + named(4) + ","), supply);
  ASSERT_TRUE(four) << describe(four.error());
  EXPECT_EQ(supply.sources(), 64_MiB);
}

TEST_F(JudgingBounds, AllSourcesOfAProblemCountTogetherWhereverTheyStand) {
  const std::string tests = R"("tests":[{"input":"1","answer":"2"}])";
  const std::string two = R"("sources":)" + named(2);
  const std::string large = "at most 64.0 MiB together";
  for (const std::string& problem :
       {R"({"graders":[{"language":"c","files":)" + named(5) + "}]," + tests + "}",
        R"({"buildFiles":)" + named(5) + "," + tests + "}",
        R"({"buildFiles":)" + named(3) + R"(,"checker":{"language":"c",)" + two + "}," + tests +
            "}",
        R"({"checker":{"language":"c",)" + two + R"(},"interactor":{"language":"c",)" + two +
            R"(},"scorer":{"language":"c","source":{"fileId":"F"}},)" + tests + "}",
        R"({"manager":{"language":"c","sources":)" + named(5) + "}," + tests + "}"})
    EXPECT_TRUE(problem_refusal(problem).contains(large))
        << problem.substr(0, 60) << ": " << problem_refusal(problem);
}

TEST_F(JudgingBounds, ThoseThatCameInTheFormCountAsWell) {
  service::Supply supply(contents_);
  SentFiles sent;
  for (int i = 0; i < 5; ++i)
    sent.sources.push_back({.name = "f", .content = std::string(16 << 20, 'x')});
  const auto request =
      decode_submission(R"({"language":"c","problemId":"p"})", supply, std::move(sent));
  ASSERT_FALSE(request);
  EXPECT_EQ(describe(request.error()),
            "source: the sources of a request have at most 64.0 MiB together");
}

// Nobody's mistake: it may be sent again when others are over.
TEST_F(JudgingBounds, WhatThereIsNoRoomForNowIsBusyAndNoMistake) {
  std::uint64_t asked = 0;
  const Error two = refusal(submission(R"("sources":)" + named(3) + ","), [&](std::uint64_t bytes) {
    asked = bytes;
    return bytes <= (32U << 20U);
  });
  EXPECT_EQ(two.fault, Fault::Busy);
  EXPECT_EQ(asked, 48U << 20U);
}

TEST_F(JudgingBounds, AnArchiveThatNobodyWouldUnpackIsNotKept) {
  contents_.size = (16 << 20) + 1;
  EXPECT_EQ(describe(refusal(submission(R"("archive":{"fileId":"F"},)"))),
            "$.archive: an archive has at most 16.0 MiB");
  EXPECT_EQ(problem_refusal(R"({"buildArchive":{"fileId":"F"},"tests":[]})"),
            "$.buildArchive: an archive has at most 16.0 MiB");
  contents_.size = 16 << 20;
  EXPECT_EQ(describe(refusal(submission(R"("archive":{"fileId":"F"},)"))), "it was accepted");
}

// Of 60 MiB once, which was kept with the result that refused it.
TEST_F(JudgingBounds, FlagsAndArgumentsAreFewAndShort) {
  const std::string longest = "\"" + std::string(4096, 'x') + "\"";
  const std::string longer = "\"" + std::string(4097, 'x') + "\"";
  const auto list = [](std::size_t count) {
    std::string words;
    for (std::size_t i = 0; i < count; ++i)
      words += i == 0 ? R"("-O2")" : R"(,"-O2")";
    return words;
  };
  const std::string tests = R"(,"tests":[{"input":"1","answer":"2"}]})";
  const auto flags = [&](const std::string& words) {
    return describe(refusal(submission(R"("source":"x","extraFlags":[)" + words + "],")));
  };
  EXPECT_EQ(flags(longest), "it was accepted");
  EXPECT_EQ(flags(list(256)), "it was accepted");
  EXPECT_EQ(flags(longer), "$.extraFlags[0]: longer than 4096 bytes");
  EXPECT_EQ(flags(list(257)), "$.extraFlags[256]: more than 256 texts");
  EXPECT_EQ(problem_refusal(R"({"grantedFlags":[)" + longer + "]" + tests),
            "$.grantedFlags[0]: longer than 4096 bytes");
  EXPECT_EQ(problem_refusal(R"({"grantedFlags":[)" + list(257) + "]" + tests),
            "$.grantedFlags[256]: more than 256 texts");
  for (const std::string program : {"checker", "interactor", "manager"})
    EXPECT_EQ(problem_refusal("{\"" + program + R"(":{"args":[)" + longer + "]}" + tests),
              "$." + program + ".args[0]: longer than 4096 bytes");
}

TEST_F(JudgingBounds, NamesAreShort) {
  const std::string longer = "\"" + std::string(4097, 'x') + "\"";
  const std::string tests = R"(,"tests":[{"input":"1","answer":"2"}]})";
  for (const auto& [place, json] : std::vector<std::pair<std::string, std::string>>{
           {"graders[0].submission", R"({"graders":[{"submission":)" + longer + "}]" + tests},
           {"graders[0].language", R"({"graders":[{"language":)" + longer + "}]" + tests},
           {"graders[0].files[0].name",
            R"({"graders":[{"files":[{"name":)" + longer + "}]}]" + tests},
           {"inputFileName", R"({"inputFileName":)" + longer + tests},
           {"tests[0].testId", R"({"tests":[{"testId":)" + longer + "}]}"},
           {"subtasks[0].dependsOn[0]", R"({"subtasks":[{"dependsOn":[)" + longer + "]}]" + tests}})
    EXPECT_EQ(problem_refusal(json), "$." + place + ": longer than 4096 bytes");
  EXPECT_EQ(describe(refusal(submission(R"("policy":)" + longer + ","))),
            "$.policy: longer than 4096 bytes");
}

TEST_F(JudgingBounds, NothingFollowsARequest) {
  const std::string whole = submission(R"("source":"x",)");
  EXPECT_EQ(describe(refusal(whole + " \r\n\t")), "it was accepted");
  for (const char* behind : {"x", "{}", ",", "\0"}) {
    const std::string said(behind, std::max<std::size_t>(1, std::strlen(behind)));
    EXPECT_TRUE(describe(refusal(whole + said)).contains("expected the end")) << behind;
    EXPECT_TRUE(problem_refusal(R"({"tests":[{"input":"1"}]})" + said).contains("expected the end"))
        << problem_refusal(R"({"tests":[{"input":"1"}]})" + said);
  }
}

// Each is a file as long as somebody has it.
class CountingFiles final : public service::Contents {
 public:
  Result<judge::Content> stored(const std::string&) override { return next(); }
  Result<judge::Content> host_file(const std::string&) override { return next(); }
  Result<judge::Content> text(std::string text) override {
    return judge::Content{.text = std::move(text)};
  }
  std::size_t opened = 0;

 private:
  Result<judge::Content> next() {
    ++opened;
    return judge::Content{.file = std::make_shared<const os::OwnedFd>()};
  }
};

std::string tests_naming(std::size_t count, const std::function<std::string(std::size_t)>& file) {
  std::string list;
  for (std::size_t i = 0; i < count; ++i)
    list += (i == 0 ? "" : ",") + std::string(R"({"input":)") + file(2 * i) + R"(,"answer":)" +
            file(2 * i + 1) + "}";
  return R"({"tests":[)" + list + "]}";
}

// Once a descriptor for each: 842 KB took twenty thousand of them.
TEST(FilesOfARequest, AreOpenedOnceHoweverManyTestsNameThem) {
  CountingFiles files;
  service::Supply supply(files);
  const auto problem =
      decode_problem(tests_naming(1500,
                                  [](std::size_t i) -> std::string {
                                    return i % 2 == 0 ? R"({"fileId":"X"})" : R"({"path":"X"})";
                                  }),
                     supply);
  ASSERT_TRUE(problem) << describe(problem.error());
  EXPECT_EQ(files.opened, 2U) << "an id and a path";
  EXPECT_EQ(problem->tests.front().input.file, problem->tests.back().input.file);
  EXPECT_NE(problem->tests.front().input.file, problem->tests.front().answer.file);
}

TEST(FilesOfARequest, AreNoMoreThanARequestMayHave) {
  CountingFiles files;
  const auto own = [](std::size_t i) {
    return R"({"fileId":"F)" + std::to_string(i) + "\"}";
  };
  service::Supply enough(files);
  const auto most = decode_problem(tests_naming(service::kMostFilesOfARequest / 2, own), enough);
  ASSERT_TRUE(most) << describe(most.error());
  files.opened = 0;
  service::Supply more(files);
  const auto refused = decode_problem(tests_naming(service::kMostFilesOfARequest, own), more);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().fault, Fault::InvalidRequest);
  EXPECT_EQ(describe(refused.error()),
            "$.tests[4096].input: a request names at most 8192 different files");
  EXPECT_EQ(files.opened, service::kMostFilesOfARequest) << "and not one more";
}

}  // namespace
}  // namespace assay::wire
