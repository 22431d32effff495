// The JSON that Normal-OJ's orchestrator prints (N24).
#include "wire/noj_result.h"

#include <gtest/gtest.h>

namespace assay::wire {
namespace {

using std::chrono_literals::operator""ms;

TEST(NojResult, HasTheFieldsOfTheOrchestrator) {
  judge::TestResult test{.letters = "WA", .message = "not the square", .errors = "student's"};
  test.checker_log = "teacher's";
  test.facts = sandbox::Facts{.end = sandbox::Exited{0},
                              .cpu_user = 12ms,
                              .wall = 80ms,
                              .memory_peak = 2_MiB,
                              .limits = {.cpu_time = 1000ms, .memory = 64_MiB}};
  test.interaction = judge::InteractionResult{
      .taught = true,
      .interactor = sandbox::Facts{.end = sandbox::Signaled{11},
                                   .cpu_user = 3ms,
                                   .wall = 90ms,
                                   .memory_peak = 3_MiB,
                                   .limits = {.cpu_time = 1000ms, .memory = 64_MiB}}};
  std::string json;
  append_noj_result(json, test);
  EXPECT_EQ(
      json,
      R"({"Status":"WA","Stdout":"","Stderr":"not the square","Duration":90,"MemUsage":3072,)"
      R"("DockerExitCode":0,"pipeMode":"devfd","teacherStderr":"teacher's","teacherExit":-11,)"
      R"("teacherResult":"RE\nWEXITSTATUS() = 0, WTERMSIG() = 11 (Segmentation fault)\n3\n)"
      R"(3072\n","studentStderr":"student's","studentExit":0,)"
      R"("studentResult":"Exited Normally\nWIFEXITED - WEXITSTATUS() = 0\n12\n2048\n"})");
}

TEST(NojResult, OfWhatDidNotRunMemoryIsUnknown) {
  std::string json;
  append_noj_result(json, judge::TestResult{.letters = "CE"});
  EXPECT_NE(json.find("\"MemUsage\":-1"), std::string::npos) << json;
}

}  // namespace
}  // namespace assay::wire
