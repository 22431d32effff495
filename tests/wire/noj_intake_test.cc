// What Normal-OJ's back end is told.
#include "wire/noj_intake.h"

#include <gtest/gtest.h>

namespace assay::wire {
namespace {

using std::chrono_literals::operator""ms;
using verdict::Verdict;

judge::Problem problem() {
  return {.tests = {{.id = "0000", .subtask = "0"}, {.id = "0100", .subtask = "1"}},
          .subtasks = {{.id = "0", .score = 40}, {.id = "1", .score = 60}}};
}

judge::TestResult ran(const char* id, const char* task, const char* letters) {
  judge::TestResult test{.id = id, .subtask = task, .verdict = Verdict::Accepted};
  test.letters = letters;
  test.output = "7\n";
  test.time = 12ms;
  test.memory = 2_MiB;
  test.exit_code = 0;
  test.facts = sandbox::Facts{};
  return test;
}

TEST(NojComplete, HasEveryCaseOfEveryTask) {
  judge::JudgeResult result{.letters = "WA"};
  result.tests = {ran("0000", "0", "AC"), ran("0100", "1", "WA")};
  result.tests[1].verdict = Verdict::WrongAnswer;
  result.tests[1].errors = "a note";
  result.tests[1].message = "line 1: 8 was expected";  // the student is not to know
  EXPECT_EQ(encode_noj_complete(problem(), result, "secret"),
            R"({"tasks":[[{"stdout":"7\n","stderr":"","exitCode":0,"execTime":12,)"
            R"("memoryUsage":2048,"status":"AC"}],[{"stdout":"7\n","stderr":"a note",)"
            R"("exitCode":0,"execTime":12,"memoryUsage":2048,"status":"WA"}]],"token":"secret"})");
}

TEST(NojComplete, SaysWhyAProgramWasEndedWhereItSaidNothing) {
  judge::JudgeResult result{.letters = "TLE"};
  result.tests = {ran("0000", "0", "TLE")};
  result.tests[0].verdict = Verdict::TimeLimit;
  result.tests[0].exit_code.reset();
  result.tests[0].message = "too slow";
  const std::string json = encode_noj_complete(problem(), result, "t");
  EXPECT_NE(json.find(R"("stderr":"too slow","exitCode":1,)"), std::string::npos) << json;
}

TEST(NojComplete, AJudgingThatCameToNothingIsAJudgeErrorOfEveryCaseThatDidNotRun) {
  judge::JudgeResult result{.letters = "SKIPPED", .message = "shutting down"};
  result.tests = {ran("0000", "0", "AC"), {.id = "0100", .subtask = "1", .letters = "SKIPPED"}};
  const std::string json = encode_noj_complete(problem(), result, "t");
  EXPECT_NE(json.find(R"("status":"AC"}])"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("stderr":"shutting down","exitCode":1,"execTime":-1,"memoryUsage":-1,)"
                      R"("status":"JE"}])"),
            std::string::npos)
      << json;
}

TEST(NojComplete, ATaughtCaseIsTheOrchestratorsWord) {
  judge::JudgeResult result{.letters = "WA"};
  result.tests = {ran("0000", "0", "WA")};
  judge::TestResult& test = result.tests[0];
  test.verdict = Verdict::WrongAnswer;
  test.message = "16 was no square";
  test.facts->wall = 40ms;
  test.facts->memory_peak = 1_MiB;
  sandbox::Facts teacher;
  teacher.wall = 80ms;
  teacher.memory_peak = 3_MiB;
  test.interaction = judge::InteractionResult{.taught = true, .interactor = teacher};
  const std::string json = encode_noj_complete(problem(), result, "t");
  EXPECT_NE(json.find(R"("stderr":"16 was no square","exitCode":0,"execTime":80,)"
                      R"("memoryUsage":3072,"status":"WA"})"),
            std::string::npos)
      << json;
}

TEST(NojComplete, ASourceThatDoesNotCompileIsACompileErrorOfEveryCase) {
  judge::JudgeResult result{.verdict = Verdict::CompileError, .letters = "CE"};
  result.compile = judge::CompileResult{.ok = false, .log = "main.c:1: no"};
  for (const char* task : {"0", "1"})
    result.tests.push_back({.subtask = task, .letters = "SKIPPED"});
  const std::string each =
      R"({"stdout":"","stderr":"main.c:1: no","exitCode":1,"execTime":-1,"memoryUsage":-1,)"
      R"("status":"CE"})";
  EXPECT_EQ(encode_noj_complete(problem(), result, "t"),
            "{\"tasks\":[[" + each + "],[" + each + "]],\"token\":\"t\"}");
}

TEST(NojComplete, TellsWhatCheckerAndScorerSaid) {
  judge::Problem both = problem();
  both.checker = judge::CheckerProgram{};
  both.scorer = judge::ScorerProgram{};
  judge::JudgeResult result{.letters = "AC", .score = 70};
  result.tests = {ran("0000", "0", "AC")};
  result.tests[0].message = "close";
  result.script = judge::ScriptScore{.message = "late", .breakdown = R"({"a":1})"};
  const std::string json = encode_noj_complete(both, result, "t");
  EXPECT_NE(
      json.find(R"("checker":{"messages":[{"case":"0000","status":"AC","message":"close"}]})"),
      std::string::npos)
      << json;
  EXPECT_NE(json.find(R"("stderr":"[custom_checker] close")"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("scoring":{"score":70,"message":"late","breakdown":{"a":1}})"),
            std::string::npos)
      << json;
  result.verdict = Verdict::JudgeFailed;
  EXPECT_NE(encode_noj_complete(both, result, "t").find(R"("statusOverride":"JE")"),
            std::string::npos);
}

NojFields fields(const NojFields& others = {}) {
  NojFields all{{"token", "t"}, {"problem_id", "7"}, {"language", "2"}};
  for (const auto& [name, value] : others)
    all.insert_or_assign(name, value);
  return all;
}

TEST(NojSubmission, IsWhatItsFieldsSay) {
  EXPECT_EQ(noj_token(fields()), "t");
  EXPECT_EQ(noj_token({}), "");
  const auto plain = decode_noj_submission(fields());
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->problem, 7U);
  EXPECT_EQ(plain->language, 2U);
  EXPECT_FALSE(plain->is_trial);
  EXPECT_TRUE(decode_noj_submission(fields({{"submission_type", "trial"}}))->is_trial);
  EXPECT_TRUE(decode_noj_submission(fields({{"an other", "x"}, {"use_default_case", "true"}})));
}

TEST(NojSubmission, EveryMistakeIsOneSentence) {
  const auto sentence = [](const NojFields& others) {
    const auto what = decode_noj_submission(fields(others));
    return what ? "fine" : what.error().context;
  };
  EXPECT_EQ(sentence({{"problem_id", ""}}), "missing problem id");
  EXPECT_EQ(sentence({{"submission_type", "duel"}}), "submission_type must be normal or trial");
  EXPECT_EQ(sentence({{"custom_testcases_path", "x"}}),
            "test cases of a submission's own are not offered here");
  EXPECT_EQ(sentence({{"submission_type", "trial"}, {"use_default_case", "false"}}),
            "test cases of a submission's own are not offered here");
  for (const char* wrong : {"../1", "-1", "1e3", "9999999999999", " 1", "1 "})
    EXPECT_TRUE(sentence({{"problem_id", wrong}}).starts_with("problem_id: ")) << wrong;
  for (const char* wrong : {"", "3", "c"})
    EXPECT_TRUE(sentence({{"language", wrong}}).starts_with("language: ")) << wrong;
}

TEST(NojStatus, IsTheLoadAndMoreForWhoeverHasTheToken) {
  const NojQueue queue{
      .queued = 4, .most = 16, .running = 2, .most_running = 8, .submissions = {"a", "b"}};
  EXPECT_EQ(encode_noj_status(queue, false), R"({"load":0.25})");
  EXPECT_EQ(encode_noj_status(queue, true),
            R"({"load":0.25,"queueSize":4,"maxTaskCount":16,"containerCount":2,)"
            R"("maxContainerCount":8,"submissions":["a","b"],"running":true})");
}

TEST(NojAnswers, AreItsOwn) {
  EXPECT_EQ(encode_noj_ok(), R"({"status":"ok","msg":"ok","data":"ok"})");
  EXPECT_EQ(encode_noj_error("no"), R"({"status":"err","message":"no","data":null})");
}

}  // namespace
}  // namespace assay::wire
