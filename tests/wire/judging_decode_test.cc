// Submissions and problems of clients.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "wire/judging.h"

namespace assay::wire {
namespace {

// Knows one file and one path.
class SomeContents final : public service::Contents {
 public:
  Result<judge::Content> stored(const std::string& id) override {
    if (id != "GOODFILE") return invalid("no file has this id");
    return judge::Content{.text = "stored bytes"};
  }
  Result<judge::Content> host_file(const std::string& path) override {
    if (path != "/data/1.in") return invalid("not allowed");
    return judge::Content{.text = "bytes of the host"};
  }
  Result<judge::Content> text(std::string text) override {
    return judge::Content{.text = std::move(text)};
  }
};

const std::string kTests = R"("tests":[{"testId":"a","input":"1","answer":"2"}])";

class Decoding : public testing::Test {
 protected:
  Result<SubmissionRequest> decode(const std::string& json) {
    service::Supply supply(contents_);
    return decode_submission(json, supply);
  }
  std::string refusal(const std::string& json) {
    const auto request = decode(json);
    return request ? "it was accepted" : describe(request.error());
  }
  std::string problem_refusal(const std::string& json) {
    service::Supply supply(contents_);
    const auto problem = decode_problem(json, supply);
    return problem ? "it was accepted" : describe(problem.error());
  }
  judge::Problem problem(const std::string& json) {
    service::Supply supply(contents_);
    auto decoded = decode_problem(json, supply);
    EXPECT_TRUE(decoded) << describe(decoded.error());
    return decoded ? *std::move(decoded) : judge::Problem{};
  }
  SomeContents contents_;
};

// Seed 001 (F05): an override counts per field, and only above 0.
TEST_F(Decoding, ALimitOfZeroIsAsGoodAsAbsent) {
  const std::string zeros =
      R"({"cpuTimeMs":0,"wallTimeMs":0,"idleTimeMs":0,"memoryMB":0,"stackMB":0,"outputMB":0,)"
      R"("pids":0})";
  const auto request =
      decode(R"({"language":"c","source":"x","problemId":"p","limits":)" + zeros + "}");
  ASSERT_TRUE(request) << describe(request.error());
  EXPECT_EQ(request->order.options.limits, sandbox::Limits{});
  const judge::Problem read = problem(R"({"limits":{"timeMs":0,"cpuTimeMs":5,"processes":0},)"
                                      R"("tests":[{"input":"1","limits":)" +
                                      zeros + "}]}");
  EXPECT_EQ(read.limits, sandbox::Limits{.cpu_time = std::chrono::milliseconds(5)});
  EXPECT_EQ(read.tests.at(0).limits, sandbox::Limits{});
}

TEST_F(Decoding, TakesEveryFieldOfASubmission) {
  const auto request = decode(R"({"submissionId":"s-1","language":"cpp17","extraFlags":["-O2"],
    "sources":[{"name":"main.cpp","content":"x"},{"name":"b.h","fileId":"GOODFILE"}],
    "problemId":"p","policy":"noj","stop":"first","wait":true,"facts":true,"priority":-3,
    "limits":{"cpuTimeMs":1500,"memoryMB":64},"softTimeLimit":2,"sanitize":true,"lint":true,
    "repeats":{"most":3,"margin":0.05,"counts":"slowest"},"webhook":"http://x/"})");
  ASSERT_TRUE(request) << describe(request.error());
  const service::JudgeOrder& order = request->order;
  EXPECT_EQ(order.submission.id, "s-1");
  EXPECT_EQ(order.submission.language, "cpp17");
  EXPECT_EQ(order.submission.extra_flags, std::vector<std::string>{"-O2"});
  ASSERT_EQ(order.submission.sources.size(), 2U);
  EXPECT_EQ(order.submission.sources[0].content, "x");
  EXPECT_EQ(order.submission.sources[1].name, "b.h");
  EXPECT_EQ(order.submission.sources[1].content, "stored bytes");
  EXPECT_EQ(order.problem_id, "p");
  EXPECT_EQ(order.problem, nullptr);
  EXPECT_EQ(order.policy, "noj");
  EXPECT_EQ(order.options.stop, judge::StopRule::First);
  EXPECT_EQ(order.options.limits.cpu_time, std::chrono::milliseconds(1500));
  EXPECT_EQ(order.options.limits.memory, 64_MiB);
  EXPECT_EQ(order.options.soft, judge::Factor{2000});
  EXPECT_EQ(order.options.repeats.most, 3U);
  EXPECT_EQ(order.options.repeats.margin, judge::Factor{50});
  EXPECT_EQ(order.options.repeats.counts, judge::Repeats::Counts::Slowest);
  EXPECT_TRUE(order.options.sanitize && order.options.lint && order.wants_facts && request->wait);
  EXPECT_EQ(order.priority, -3);
  EXPECT_EQ(order.webhook, "http://x/");
}

TEST_F(Decoding, TakesEveryFieldOfAProblem) {
  const judge::Problem read = problem(R"({"type":"batch","ioMode":"fileio","inputFileName":"a.in",
    "outputFileName":"a.out","limits":{"cpuTimeMs":1,"wallTimeMs":2,"idleTimeMs":3,"memoryMB":4,
    "stackMB":5,"outputMB":6,"pids":7},"checker":{"name":"floats","args":["1e-6"]},
    "tests":[{"testId":"a","input":"1","answer":{"path":"/data/1.in"},"score":40.5,"subtaskId":"s",
    "limits":{"timeMs":9,"processes":8}},{"input":{"content":"AP8=","encoding":"base64"},
    "answer":{"fileId":"GOODFILE"},"subtaskId":"s"}],
    "subtasks":[{"id":"s","score":60,"rule":"sum","dependsOn":[]}],"stop":"group"})");
  EXPECT_EQ(read.io_mode, judge::IoMode::FileIo);
  EXPECT_EQ(read.input_file + read.output_file, "a.ina.out");
  EXPECT_EQ(read.limits.wall_time, std::chrono::milliseconds(2));
  EXPECT_EQ(read.limits.idle_time, std::chrono::milliseconds(3));
  EXPECT_EQ(read.limits.stack, 5_MiB);
  EXPECT_EQ(read.limits.output, 6_MiB);
  EXPECT_EQ(read.limits.processes, 7U);
  ASSERT_EQ(read.tests.size(), 2U);
  EXPECT_EQ(read.tests[0].answer.text, "bytes of the host");
  EXPECT_EQ(read.tests[0].score, 40.5);
  EXPECT_EQ(read.tests[0].limits.cpu_time, std::chrono::milliseconds(9));
  EXPECT_EQ(read.tests[0].limits.processes, 8U);
  EXPECT_EQ(read.tests[1].id, "2");  // by its place
  EXPECT_EQ(read.tests[1].input.text, std::string("\0\xff", 2));
  EXPECT_EQ(read.subtasks[0].rule, judge::SubtaskRule::Sum);
  EXPECT_EQ(read.stop, judge::StopRule::Group);
  EXPECT_TRUE(std::holds_alternative<judge::Comparison>(read.checker));
}

TEST_F(Decoding, TakesACheckerThatIsAProgram) {
  const judge::Problem read =
      problem(R"({"checker":{"language":"python3","source":"print","protocol":"icpc","args":["x"],)"
              R"("limits":{"cpuTimeMs":77}},)" +
              kTests + "}");
  const auto* checker = std::get_if<judge::CheckerProgram>(&read.checker);
  ASSERT_NE(checker, nullptr);
  EXPECT_EQ(checker->source.sources.at(0).content, "print");
  EXPECT_EQ(checker->protocol, judge::Protocol::Icpc);
  EXPECT_EQ(checker->limits.cpu_time, std::chrono::milliseconds(77));
}

TEST_F(Decoding, NamesThePlaceOfWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"languag":"c"})", "$.languag: unknown field"},
      {R"({"Language":"c"})", "$.Language: unknown field"},
      {R"([])", "$: expected object, got array"},
      {R"({"language":7})", "$.language: expected string, got 7"},
      {R"({"source":{"fileId":"NOSUCH"}})", "$.source: no file has this id"},
      {R"({"source":{"path":"/etc/shadow"}})", "$.source: not allowed"},
      {R"({"source":{}})", "$.source: expected exactly one of fileId, path and content"},
      {R"({"source":{"content":"a","fileId":"GOODFILE"}})",
       "$.source: expected exactly one of fileId, path and content"},
      {R"({"source":"a","sources":[]})", "$.sources: source and sources are one too many"},
      {R"({"sources":[{"name":"a/../../b","content":""}]})", "$.sources[0]: a name is a relative "},
      {R"({"sources":[{"name":"/b","content":""}]})", "$.sources[0]: a name is a relative "},
      {R"({"sources":[{"name":"a\nb","content":""}]})", "$.sources[0]: a name is a relative "},
      {R"({"stop":"never"})", R"($.stop: expected "none", "first" or "group")"},
      {R"({"limits":{"memoryMb":1}})", "$.limits.memoryMb: unknown field"},
      {R"({"limits":{"cpuTimeMs":-1}})", "$.limits.cpuTimeMs: expected integer >= 0, got -1"},
      {R"({"limits":{"cpuTimeMs":86400001}})",
       "$.limits.cpuTimeMs: expected integer <= 86400000, got 86400001"},
      {R"({"priority":1e3})", "$.priority: expected integer from -1000000 to 1000000, got 1e3"},
      {R"({"repeats":{"most":11}})", "$.repeats.most: expected integer <= 10, got 11"},
      {R"({"softTimeLimit":0.5})", "$.softTimeLimit: expected number from 1 to 10, got 0.5"},
      {R"({"language":"c","problemId":"p"})", "$: expected a source, sources or an archive"},
      {R"({"language":"c","source":""})", "$: expected either a problem or a problemId"},
      {R"({"source":{"content":"?","encoding":"base64"}})", "$.source: "},
      {R"({"submissionId":"a\u0000b"})", "$.submissionId: has a NUL character in it"},
  };
  for (const auto& [json, expected] : cases)
    EXPECT_TRUE(refusal(json).starts_with(expected)) << json << "\n" << refusal(json);
}

TEST_F(Decoding, NamesThePlaceOfWhatIsWrongWithAProblem) {
  const std::pair<std::string, const char*> cases[] = {
      {R"({"tests":[]})", "$: "},
      {R"({})", "$: "},
      {R"({"type":"quiz",)" + kTests + "}", "$.type: expected "},
      {R"({"checker":{"name":"nonsense"},)" + kTests + "}", "$.checker: "},
      {R"({"checker":{"source":"x"},)" + kTests + "}", "$.checker: a source needs its language"},
      {R"({"checker":{"name":"tokens","language":"c","source":"x"},)" + kTests + "}",
       "$.checker: expected either a name or a source"},
      {R"({"checker":{"language":"c","source":"x","protocol":"smoke"},)" + kTests + "}",
       "$.checker: expected a protocol of "},
      {R"({"tests":[{"testId":"a","input":"","answer":""},{"testId":"a","input":"","answer":""}]})",
       "$: "},
      {R"({"tests":[{"testId":"a","input":{"fileId":"X"},"answer":""}]})",
       "$.tests[0].input: no file has this id"},
      {R"({"tests":[{"input":"","answer":"","score":-1}]})",
       "$.tests[0].score: expected number from 0 to 1000000000000, got -1"},
      {R"({"tests":[{"input":"","answer":"","score":1e400}]})", "$.tests[0].score: "},
      {R"({"subtasks":[{"id":"a","dependsOn":["b"]},{"id":"b","dependsOn":["a"]}],)" + kTests + "}",
       "$: "},
      {R"({"subtasks":[{"id":"a","rule":"any"}],)" + kTests + "}", "$.subtasks[0].rule: expected "},
      {R"({"ioMode":"pipe",)" + kTests + "}", "$.ioMode: expected "},
      {R"({"scorer":{"language":"c"},)" + kTests + "}", "$.scorer: a scorer needs "},
      {R"({"interactor":{"language":"c"},)" + kTests + "}", "$.interactor: an interactor needs "},
      {R"({"interactor":{"source":"x"},)" + kTests + "}", "$.interactor: an interactor needs "},
      {R"({"interactor":{"name":"tokens"},)" + kTests + "}", "$.interactor: an interactor needs "},
      {R"({"interactor":{"language":"c","source":"x","protocol":"morse"},)" + kTests + "}",
       "$.interactor: expected a protocol of "},
      {R"({"interactor":{"language":"c","source":"x","wish":1},)" + kTests + "}",
       "$.interactor.wish: unknown field"},
      {R"({"interactor":{"language":"c","source":"x"},)" + kTests + "}",
       "$: an interactor is for interactive problems alone"},
      {R"({"type":"interactive",)" + kTests + "}", "$: an interactive problem needs an interactor"},
      {R"({"type":"interactive","interactor":{"language":"c","source":"x","protocol":"cms"},)" +
           kTests + "}",
       "$: an interactor talks as testlib, icpc or noj"},
  };
  for (const auto& [json, expected] : cases) {
    const std::string said = problem_refusal(json);
    EXPECT_TRUE(said.starts_with(expected)) << json << "\n" << said;
  }
}

TEST_F(Decoding, ReadsAnInteractiveProblem) {
  const auto request =
      decode(R"({"language":"c","source":"x","dialogue":true,"problem":{"type":"interactive",)"
             R"("interactor":{"language":"cpp","source":"y","protocol":"icpc","args":["-a"],)"
             R"("limits":{"cpuTimeMs":7000}},"tests":[{"input":"1"}]}})");
  ASSERT_TRUE(request) << describe(request.error());
  EXPECT_EQ(request->order.options.dialogue, judge::kLogLimit);
  const judge::Problem& problem = *request->order.problem;
  EXPECT_EQ(problem.kind, judge::ProblemKind::Interactive);
  EXPECT_FALSE(problem.has_own_checker);
  ASSERT_TRUE(problem.interactor);
  EXPECT_EQ(problem.interactor->source.sources.at(0).content, "y");
  EXPECT_EQ(problem.interactor->protocol, judge::Protocol::Icpc);
  EXPECT_EQ(problem.interactor->arguments, std::vector<std::string>{"-a"});
  EXPECT_EQ(problem.interactor->limits.cpu_time, std::chrono::seconds(7));
}

TEST_F(Decoding, LeavesToThePolicyWhatNobodySaysOfTheChecker) {
  const auto by_policy = [this](const std::string& checker) {
    const auto request = decode(R"({"language":"c","source":"x","problem":{)" + checker +
                                R"("grantedFlags":["-I*"],"tests":[{"input":"1"}]}})");
    EXPECT_TRUE(request) << describe(request.error());
    EXPECT_EQ(request->order.problem->granted_flags, std::vector<std::string>{"-I*"});
    return request->order.problem->checks_by_policy;
  };
  EXPECT_TRUE(by_policy(""));
  EXPECT_TRUE(by_policy(R"("checker":{"language":"c","source":"y"},)"));
  EXPECT_FALSE(by_policy(R"("checker":"tokens",)"));
  EXPECT_FALSE(by_policy(R"("checker":{"name":"tokens"},)"));
  EXPECT_FALSE(by_policy(R"("checker":{"language":"c","source":"y","protocol":"testlib"},)"));
}

TEST_F(Decoding, ReadsACommunicationProblem) {
  const auto request = decode(
      R"({"language":"c","source":"x","problem":{"type":"communication","processes":3,"io":"fifo",)"
      R"("manager":{"language":"cpp","source":"y","protocol":"testlib","args":["-a"],)"
      R"("limits":{"cpuTimeMs":7000}},"tests":[{"input":"1"}]}})");
  ASSERT_TRUE(request) << describe(request.error());
  const judge::Problem& problem = *request->order.problem;
  EXPECT_EQ(problem.kind, judge::ProblemKind::Communication);
  EXPECT_EQ(problem.processes, 3U);
  EXPECT_EQ(problem.process_io, judge::ProcessIo::Fifo);
  ASSERT_TRUE(problem.manager);
  EXPECT_EQ(problem.manager->source.sources.at(0).content, "y");
  EXPECT_EQ(problem.manager->protocol, judge::Protocol::Testlib);
  EXPECT_EQ(problem.manager->arguments, std::vector<std::string>{"-a"});
  EXPECT_EQ(problem.manager->limits.cpu_time, std::chrono::seconds(7));
  const auto steps = decode(
      R"({"language":"c","source":"x","problem":{"type":"twostep","tests":[{"input":"1"}]}})");
  ASSERT_TRUE(steps) << describe(steps.error());
  EXPECT_EQ(steps->order.problem->kind, judge::ProblemKind::TwoStep);
}

TEST_F(Decoding, SaysWhatIsWrongWithAManager) {
  const std::string tests = R"("tests":[{"input":"1","answer":"2"}]})";
  const std::string talks = R"({"type":"communication",)";
  const std::string manager = R"("manager":{"language":"c","source":"y"},)";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {talks + tests, "$: a communication problem needs a manager"},
      {"{" + manager + tests, "$: a manager is for communication and twostep problems alone"},
      {talks + R"("manager":{"source":"y"},)" + tests,
       "$.manager: a manager needs a language and a source"},
      {talks + R"("manager":{"language":"c"},)" + tests,
       "$.manager: a manager needs a language and a source"},
      {talks + R"("manager":{"language":"c","source":"y","protocol":"telepathy"},)" + tests,
       "$.manager: expected a protocol of cms and testlib"},
      {talks + R"("manager":{"language":"c","source":"y","protocol":"icpc"},)" + tests,
       "$: a manager talks as cms or testlib, and not as icpc"},
      {talks + R"("processes":0,)" + manager + tests, "$: processes must be from 1 to 32"},
      {talks + R"("processes":1000,)" + manager + tests, "$: processes must be from 1 to 32"},
      {talks + R"("processes":-1,)" + manager + tests, "$.processes: "},
      {talks + R"("processes":1e12,)" + manager + tests, "$.processes: "},
      {talks + R"("io":"shouting",)" + manager + tests,
       "$.io: expected \"stdio\", \"fifo\" or \"terminal\""},
      {R"({"io":"fifo",)" + tests,
       "$: io is for interactive, communication and twostep problems alone"},
      {talks + R"("interactor":{"language":"c","source":"z"},)" + manager + tests,
       "$: an interactor is for interactive problems alone"},
      {talks + R"("checker":"tokens",)" + manager + tests,
       "$: the manager of a communication problem judges: there is no checker"},
      {R"({"type":"twostep","processes":2,)" + tests,
       "$: processes are for communication problems alone"},
      {R"({"type":"threestep",)" + tests, "$.type: expected \"batch\""},
  };
  for (const auto& [json, expected] : cases) {
    const std::string said = problem_refusal(json);
    EXPECT_TRUE(said.starts_with(expected)) << json << "\n" << said;
  }
}

TEST_F(Decoding, BoundsTheNumberOfTests) {
  std::string json = R"({"tests":[)";
  for (int i = 0; i < 10'001; ++i)
    json += R"({"input":"","answer":""},)";
  json.back() = ']';
  EXPECT_EQ(problem_refusal(json + "}"), "$.tests[10000]: more than 10000 tests");
}

TEST_F(Decoding, BoundsTheSizeOfASource) {
  const std::string large(16U << 20U, 'x');
  EXPECT_TRUE(decode(R"({"language":"c","problemId":"p","source":")" + large + "\"}"));
  EXPECT_EQ(refusal(R"({"language":"c","problemId":"p","source":")" + large + "x\"}"),
            "$.source: larger than 16.0 MiB");
}

TEST_F(Decoding, SeesThatASubmissionIsTheSameWhetherSomebodyWaitsOrNot) {
  const std::string same = R"("language":"c","source":"x","problemId":"p"})";
  const auto digest = [&](const std::string& json) {
    const auto request = decode(json);
    return request ? request->order.digest : describe(request.error());
  };
  EXPECT_EQ(digest("{" + same), digest(R"({"wait":true,)" + same));
  EXPECT_NE(digest("{" + same), digest(R"({"policy":"noj",)" + same));
  EXPECT_NE(digest("{" + same), digest(R"({"language":"c","source":"y","problemId":"p"})"));
}

TEST_F(Decoding, TakesFilesThatCameBesideIt) {
  service::Supply supply(contents_);
  const auto request = decode_submission(R"({"language":"c","problemId":"p"})", supply,
                                         {.sources = {{.name = "a.c", .content = "int x;"}}});
  ASSERT_TRUE(request) << describe(request.error());
  EXPECT_EQ(request->order.submission.sources.at(0).name, "a.c");
}

}  // namespace
}  // namespace assay::wire
