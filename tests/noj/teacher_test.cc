// Normal-OJ's interactive mode: the cases of its own tests (D1), written anew.
#include "tests/judging/fixture_archives.h"
#include "tests/noj/fixture_teacher.h"

namespace assay::test {
namespace {

TEST_F(NojTeacher, PingAndPongAreAccepted) {  // 1, 5
  const judge::TestResult met = meet({});
  EXPECT_EQ(met.letters, "AC") << met.message;
  EXPECT_EQ(met.message, "well done");
  EXPECT_EQ(met.score, 100);
  EXPECT_EQ(met.facts.value().end, sandbox::End(sandbox::Exited{0}));
  EXPECT_EQ(met.interaction.value().interactor.value().end, sandbox::End(sandbox::Exited{0}));
}

TEST_F(NojTeacher, AnotherWordIsWrongAndTheMessageIsShown) {  // 2
  const judge::TestResult met = meet({.student = in_python("input()\nprint('pang')\n")});
  EXPECT_EQ(met.letters, "WA");
  EXPECT_EQ(met.message, "heard another word");
  EXPECT_EQ(met.score, 0);
}

TEST_F(NojTeacher, WithoutACheckResultNothingIsJudged) {  // 3
  const judge::TestResult met = meet({.teacher = c_program(kPing + "return 0;")});
  EXPECT_EQ(met.letters, "CE");
  EXPECT_EQ(met.message, "Check_Result not found");
}

TEST_F(NojTeacher, EitherMayStartFirst) {  // 4
  EXPECT_MEETING("AC", (Meeting{.teacher_first = false}));
  EXPECT_MEETING("AC", (Meeting{.teacher_first = true}));
}

// Each tells the clock of its start, which no namespace of theirs changes. Between being started
// and telling it a busy machine may keep either waiting, so one of some tries must show the gap.
TEST_F(NojTeacher, TheSecondStartsFiftyMillisecondsLater) {
  const std::string clock =
      "struct timespec t;clock_gettime(CLOCK_MONOTONIC,&t);long now=t.tv_sec*1000+t.tv_nsec/"
      "1000000;";
  const judge::Submission student =
      in_c("#include <time.h>\n" + c_program(clock + "printf(\"%ld\\n\",now);return 0;"));
  const auto teacher = [&](const char* difference) {
    return "#include <time.h>\n" +
           c_program(clock +
                     "long other;if(scanf(\"%ld\",&other)!=1)return 1;long gap=" + difference +
                     ";sprintf(line,\"%ld\",gap);"
                     "return word(gap>=49&&gap<1000?\"AC\":\"WA\",line);");
  };
  const auto shows_gap = [&](const char* difference, bool teacher_first) {
    for (int i = 0; i < 10; ++i)
      if (meet({.teacher = teacher(difference), .student = student, .teacher_first = teacher_first})
              .letters == "AC")
        return true;
    return false;
  };
  EXPECT_TRUE(shows_gap("now-other", false));
  EXPECT_TRUE(shows_gap("other-now", true));
}

TEST_F(NojTeacher, AStudentThatWritesIsStopped) {  // 8, 16
  NEEDS_METERS();
  EXPECT_MEETING("RE", (Meeting{.student = in_c(c_program("fopen(\"f\",\"w\");" + kPong))}));
  EXPECT_MEETING("RE", (Meeting{.student = in_python("open('f','w')\ninput()\nprint('pong')\n")}));
}

TEST_F(NojTeacher, UnlessTheProblemLetsIt) {  // 7
  EXPECT_MEETING(
      "AC",
      (Meeting{.student = in_c(c_program("if(!fopen(\"f\",\"w\")||!getenv(\"SANDBOX_ALLOW_WRITE\"))"
                                         "return 9;" +
                                         kPong)),
               .may_write = true}));
}

TEST_F(NojTeacher, ATeacherMayWriteFilesHereAndInTmp) {  // 9, 10
  EXPECT_MEETING(
      "AC",
      (Meeting{.teacher = c_program("FILE*a=fopen(\"notes\",\"w\"),*b=fopen(\"/tmp/notes\",\"w\");"
                                    "if(!a||!b||fputs(\"x\",a)<0||fputs(\"x\",b)<0)return 1;" +
                                    kPing + "return word(\"AC\",\"\");")}));
}

TEST_F(NojTeacher, ATeacherMayBeInPython) {  // 11, 18
  const std::string python =
      "print('ping',flush=True)\nok=input()=='pong'\n"
      "open('Check_Result','w').write('STATUS: '+('AC' if ok else 'WA'))\n";
  EXPECT_MEETING("AC", (Meeting{.teacher = python, .teacher_language = "python3"}));
  EXPECT_MEETING("CE of all", (Meeting{.teacher = python, .teacher_language = "c"}));
}

TEST_F(NojTeacher, AnotherStatusIsNone) {  // 12
  const judge::TestResult met =
      meet({.teacher = c_program(kPing + "return word(\"XX\",\"so so\");")});
  EXPECT_EQ(met.letters, "CE");
  EXPECT_EQ(met.message, "Invalid Check_Result STATUS: \"XX\"");
}

TEST_F(NojTeacher, EveryCaseHasATestcaseAndADirectoryOfItsOwn) {  // 15
  const std::string teacher = c_program(
      "if(access(\"left\",F_OK)==0)return word(\"WA\",\"something was "
      "left\");fclose(fopen(\"left\","
      "\"w\"));FILE*f=fopen(\"testcase.in\",\"r\");if(!f||!fgets(line,sizeof line,f))return 1;"
      "struct stat s;if(fstat(fileno(f),&s)||(s.st_mode&07777)!=0600||s.st_uid!=1450)return "
      "word(\"WA\",\"mode\");fputs(line,stdout);fflush(stdout);char heard[64];if(!fgets(heard,"
      "sizeof heard,stdin)||strcmp(heard,line))return word(\"WA\",\"echo\");return word(\"AC\","
      "line);");
  const judge::JudgeResult result =
      judge_all({.teacher = teacher,
                 .student = in_python("import os\nassert sorted(os.listdir('.'))==['main.py']\n"
                                      "print(input())\n"),
                 .testcase = "11\n",
                 .more_testcases = {"22\n", "33\n"}});
  EXPECT_EQ(letters(result), "AC AC AC");
  EXPECT_EQ(result.tests.at(2).message, "33");
}

TEST_F(NojTeacher, ATeacherThatDoesNotCompileIsTheTeachersFault) {  // 17
  const judge::JudgeResult result = judge_all({.teacher = "int main(void) { return nothing; }"});
  EXPECT_EQ(result.letters, "CE");
  EXPECT_NE(result.message.find("teacher"), std::string::npos) << result.message;
  policy = "assay";
  EXPECT_EQ(judge_all({.teacher = "int main(void) { return nothing; }"}).letters, "JE");
}

TEST_F(NojTeacher, ALongMessageIsCut) {  // 22
  const judge::TestResult met =
      meet({.teacher = c_program(kPing + "memset(line,'m',1100);line[1100]=0;return "
                                         "word(\"AC\",line);")});
  EXPECT_EQ(met.letters, "AC");
  EXPECT_EQ(met.message, std::string(1024, 'm') + "...(truncated)");
}

TEST_F(NojTeacher, EachHasItsOwnResourcesOfACase) {
  const std::string teacher = c_program(
      "FILE*f=fopen(\"secret\",\"r\");if(!f||!fgets(line,sizeof line,f))return 1;"
      "if(access(\"table\",F_OK)==0)return word(\"WA\",\"the student's is here\");"
      "puts(\"go\");fflush(stdout);char heard[64];if(!fgets(heard,sizeof heard,stdin)||"
      "strcmp(heard,line))return word(\"WA\",heard);return word(\"AC\",\"\");");
  judge::Problem problem = problem_for({.teacher = teacher, .more_testcases = {"8\n"}});
  problem.test_files = judge::Content{.text = pack({{.name = "0000_table", .content = "one\n"},
                                                    {.name = "0001_table", .content = "two\n"}})};
  problem.teacher_files =
      judge::Content{.text = pack({{.name = "deep/0000_secret", .content = "one\n"},
                                   {.name = "0001_secret", .content = "two\n"}})};
  const judge::JudgeResult result = judge(
      problem, in_python("import os\ninput()\nassert sorted(os.listdir('.'))==['main.py','table']"
                         "\nprint(open('table').read(), end='')\n"));
  EXPECT_EQ(letters(result), "AC AC") << result.message << result.tests.at(0).message;
}

}  // namespace
}  // namespace assay::test
