// A student and a teacher of Normal-OJ who meet.
#pragma once

#include "tests/judging/fixture.h"

namespace assay::test {

inline const std::string kWord =
    "static int word(const char*status,const char*message){FILE*f=fopen(\"Check_Result\",\"w\");"
    "if(!f)return 1;fprintf(f,\"STATUS: %s\\nMESSAGE: %s\\n\",status,message);return fclose(f);}\n";
inline const std::string kIncludes =
    "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n"
    "#include <fcntl.h>\n#include <sys/stat.h>\n";

inline std::string c_program(const std::string& body) {
  return kIncludes + kWord + "int main(void){char line[4096];(void)line;(void)word;" + body + "}";
}

// Says ping and wants pong.
inline const std::string kPing =
    "puts(\"ping\");fflush(stdout);if(!fgets(line,sizeof line,stdin))return word(\"WA\",\"nothing "
    "came\");if(strcmp(line,\"pong\\n\"))return word(\"WA\",\"heard another word\");";
inline const std::string kTeacher = c_program(kPing + "return word(\"AC\",\"well done\");");
inline const std::string kPong =
    "if(!fgets(line,sizeof line,stdin))return 3;puts(\"pong\");return 0;";

// The same, and content without a teacher.
inline const std::string kPatient = "if(fgets(line,sizeof line,stdin))puts(\"pong\");return 0;";

struct Meeting {
  std::string teacher = kTeacher;
  std::string teacher_language = "c";
  judge::Submission student = in_c(c_program(kPong));
  bool teacher_first = true;
  bool may_write = false;
  std::string testcase = "7\n";
  std::vector<std::string> more_testcases{};
  Nanoseconds time = 2s;
};

class NojTeacher : public JudgingTest {
 protected:
  NojTeacher() { policy = "noj"; }

  static judge::Problem problem_for(const Meeting& meeting) {
    const std::string ending = meeting.may_write ? "-write" : "";
    judge::Problem problem{
        .kind = judge::ProblemKind::Interactive,
        .build = judge::BuildStrategy::MakeInteractive,
        .limits = {.cpu_time = meeting.time, .memory = 64_MiB},
        .interactor = judge::Interactor{.source = {.language = meeting.teacher_language,
                                                   .sources = {{"", meeting.teacher}}},
                                        .protocol = judge::Protocol::Noj,
                                        .starts_first = meeting.teacher_first},
        .run_profiles = {{"native", "noj-native" + ending}, {"python", "noj-python" + ending}}};
    std::vector<std::string> inputs{meeting.testcase};
    inputs.insert(inputs.end(), meeting.more_testcases.begin(), meeting.more_testcases.end());
    for (std::size_t i = 0; i < inputs.size(); ++i)
      problem.tests.push_back(
          {.id = "000" + std::to_string(i), .input = {.text = inputs[i]}, .subtask = "0"});
    problem.subtasks = {{.id = "0", .score = 100}};
    return problem;
  }
  judge::JudgeResult judge_all(const Meeting& meeting) {
    return judge(problem_for(meeting), meeting.student);
  }
  judge::TestResult meet(const Meeting& meeting) {
    const judge::JudgeResult result = judge_all(meeting);
    EXPECT_FALSE(result.tests.empty()) << result.message;
    judge::TestResult test = result.tests.empty() ? judge::TestResult{} : result.tests.front();
    if (test.verdict == verdict::Verdict::Skipped) test.letters = result.letters + " of all";
    if (test.message.empty()) test.message = result.message;
    return test;
  }
};

#define EXPECT_MEETING(wanted, meeting)                                                   \
  do {                                                                                    \
    const judge::TestResult outcome = meet(meeting);                                      \
    EXPECT_EQ(outcome.letters, wanted) << outcome.message << "\n" << outcome.checker_log; \
  } while (false)

}  // namespace assay::test
