// Results as seed 001 writes them.
#include <gtest/gtest.h>

#include "wire/judging.h"

namespace assay::wire {
namespace {

using namespace std::chrono_literals;

judge::JudgeResult sample() {
  judge::JudgeResult result{.submission_id = "s",
                            .verdict = verdict::Verdict::WrongAnswer,
                            .letters = "WA",
                            .score = 33.333333333,
                            .language = "cpp17"};
  result.compile = judge::CompileResult{
      .ok = true, .exit_code = 0, .time = 1500us, .memory = 1025_B, .log = "a\x01\xff<"};
  result.tests.push_back({.id = "1",
                          .letters = "WA",
                          .message = "line 1",
                          .time = 1ms + 1ns,
                          .wall = 2ms,
                          .memory = 1_MiB,
                          .output_size = 1_B,
                          .exit_code = 0,
                          .output = "3\n",
                          .score = 0.1 + 0.2,
                          .facts = sandbox::Facts{}});
  result.tests.push_back({.id = "2", .letters = "SKIPPED"});
  result.subtasks.push_back({.id = "g", .score = 10, .solved = true});
  result.summary = {.total_time = 1ms, .max_memory = 1_MiB, .total_score = 1, .failed_test = "1"};
  return result;
}

TEST(JudgeResults, AreWrittenAsSeed001Says) {
  EXPECT_EQ(
      encode_judge_result(sample(), false),
      R"({"submissionId":"s","status":"Finished","verdict":"WA","message":"","score":33.333333,)"
      R"("language":"cpp17","compile":{"ok":true,"exitCode":0,"timeMs":1,"memoryKB":1,)"
      R"("log":"a\u0001\ufffd\u003c","error":""},"tests":[{"testId":"1","verdict":"WA","timeMs":1,)"
      R"("wallTimeMs":2,"memoryKB":1024,"outputKB":0,"exitCode":0,"message":"line 1",)"
      R"("runtimeLog":"","checkerLog":"","stdout":"3\n","stderr":"","score":0.3,"subtaskId":""},)"
      R"({"testId":"2","verdict":"SKIPPED","timeMs":null,"wallTimeMs":null,"memoryKB":null,"outputKB":0,)"
      R"("exitCode":null,"message":"","runtimeLog":"","checkerLog":"","stdout":"","stderr":"",)"
      R"("score":0,"subtaskId":""}],"subtasks":[{"id":"g","score":10,"solved":true}],)"
      R"("summary":{"totalTimeMs":1,"maxMemoryKB":1024,"totalScore":1,"failedTestId":"1"},)"
      R"("timestamps":{"receivedAt":"1970-01-01T00:00:00.000Z",)"
      R"("finishedAt":"1970-01-01T00:00:00.000Z"}})"
      "\n");
}

TEST(JudgeResults, SayNullWhereNothingWasCompiled) {
  judge::JudgeResult result = sample();
  result.compile.reset();
  EXPECT_NE(encode_judge_result(result, false).find(R"("compile":null)"), std::string::npos);
}

TEST(JudgeResults, CarryFactsWhenAsked) {
  const judge::JudgeResult result = sample();
  const std::string with = encode_judge_result(result, true);
  EXPECT_NE(with.find(R"("facts":{"end":)"), std::string::npos);
  EXPECT_NE(with.find(R"("facts":null)"), std::string::npos);  // of the one that did not run
  EXPECT_EQ(encode_judge_result(result, false).find("facts"), std::string::npos);
}

TEST(JudgeResults, CarryWhatWasSaidWhenAsked) {
  judge::JudgeResult result = sample();
  judge::InteractionResult& interaction = result.tests[0].interaction.emplace();
  EXPECT_NE(encode_judge_result(result, false).find(R"("interaction":{"firstToEnd":"interactor"})"),
            std::string::npos);
  interaction.solution_first = true;
  interaction.interactor.emplace();
  interaction.dialogue = {.remarks = {{.voice = 1, .at = 1234567ns, .bytes = "5\n"},
                                      {.voice = 0, .at = 2ms, .bytes = "\xff"},
                                      {.voice = 2, .at = 3ms, .bytes = "hm"}},
                          .bytes = 9,
                          .truncated = true};
  EXPECT_NE(encode_judge_result(result, false)
                .find(R"("interaction":{"firstToEnd":"solution","dialogue":{"events":[)"
                      R"({"from":"solution","atUs":1234,"text":"5\n"},)"
                      R"({"from":"interactor","atUs":2000,"base64":"/w=="},)"
                      R"({"from":"stderr","atUs":3000,"text":"hm"}],"bytes":9,"truncated":true}})"),
            std::string::npos)
      << encode_judge_result(result, false);
  EXPECT_NE(encode_judge_result(result, true).find(R"("interactorFacts":{"end":)"),
            std::string::npos);
}

TEST(JudgeResults, NameTheProcessThatSpokeAndHaveTheFactsOfEach) {
  judge::JudgeResult result = sample();
  result.tests[0].processes.resize(2);
  result.tests[0].interaction = {
      .managed = true,
      .interactor = sandbox::Facts{},
      .dialogue = exec::Dialogue{
          .remarks = {{.voice = 4, .at = 1ms, .bytes = "5"}, {.voice = 0, .at = 2ms, .bytes = "6"}},
          .bytes = 2}};
  const std::string without = encode_judge_result(result, false);
  EXPECT_NE(without.find(R"("interaction":{"firstToEnd":"manager","dialogue":{"events":[)"
                         R"({"from":"solution","process":1,"atUs":1000,"text":"5"},)"
                         R"({"from":"manager","process":0,"atUs":2000,"text":"6"}],)"
                         R"("bytes":2,"truncated":false}})"),
            std::string::npos)
      << without;
  EXPECT_EQ(without.find(R"("processes")"), std::string::npos);
  const std::string with = encode_judge_result(result, true);
  EXPECT_NE(with.find(R"("managerFacts":{"end":)"), std::string::npos);
  EXPECT_NE(with.find(R"("processes":[{"end":)"), std::string::npos);
}

TEST(JudgeResults, TellMoreOnlyWhereThereIsMore) {
  judge::JudgeResult result = sample();
  result.lint = judge::CompileResult{.ok = true};
  result.script = judge::ScriptScore{.message = "bonus", .breakdown = R"({"a":1})"};
  result.tests[0].verdict_without_limit = verdict::Verdict::Accepted;
  result.tests[0].letters_without_limit = "AC";
  result.tests[0].team_message = "try again";
  result.summary.worst = "TLE";
  result.tests[0].sanitizer_report = true;
  result.tests[0].run_times = {1ms, 2ms};
  const std::string text = encode_judge_result(result, false);
  for (const char* part :
       {R"("lint":{"ok":true)", R"("scoring":{"message":"bonus","breakdown":{"a":1}})",
        R"("teamMessage":"try again","verdictWithoutLimit":"AC","sanitizerReport":true,)"
        R"("runTimesMs":[1,2])",
        R"("failedTestId":"1","worst":"TLE")"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST(Failures, NameTheirCode) {
  EXPECT_EQ(encode_failure({Fault::NotFound, 0, "no \"x\""}),
            R"({"error":{"code":"not_found","message":"no \"x\""}})");
  EXPECT_EQ(encode_failure({Fault::Conflict, 0, "c"}),
            R"({"error":{"code":"conflict","message":"c"}})");
}

}  // namespace
}  // namespace assay::wire
