// Normal-OJ's interactive mode: limits of both sides, of the same list.
#include "tests/noj/fixture_teacher.h"

namespace assay::test {
namespace {

TEST_F(NojTeacher, WhoeverSpinsIsTooSlow) {  // 13, 14
  NEEDS_METERS();
  const std::string spin = "for(volatile int i=0;;)++i;";
  EXPECT_MEETING("TLE", (Meeting{.student = in_c(c_program(spin)), .time = 300ms}));
  EXPECT_MEETING(
      "TLE",
      (Meeting{.teacher = c_program(spin), .student = in_c(c_program(kPatient)), .time = 300ms}));
}

TEST_F(NojTeacher, ATeacherThatWritesTooMuchIsNotTheStudentsFault) {  // 20
  NEEDS_METERS();
  const judge::TestResult met =
      meet({.teacher = c_program(
                "int f=open(\"big\",O_WRONLY|O_CREAT,0644);static char m[1<<20];for(int i=0;i<120;"
                "++i)if(write(f,m,sizeof m)<0)return 1;" +
                kPing + "return word(\"AC\",\"\");"),
            .student = in_c(c_program(kPatient))});
  EXPECT_EQ(met.letters, "JE") << met.message;
  EXPECT_EQ(met.interaction.value().interactor.value().end, sandbox::End(sandbox::Signaled{25}))
      << met.message;
}

TEST_F(NojTeacher, FiveHundredNewFilesAreFineAndOneMoreIsNot) {  // 21
  const auto teacher = [](int files) {
    return c_program("mkdir(\"d\",0755);for(int i=0;i<" + std::to_string(files) +
                     ";++i){sprintf(line,\"d/%d\",i);FILE*f=fopen(line,\"w\");if(!f)return 1;"
                     "fclose(f);}" +
                     kPing + "return word(\"AC\",\"fine\");");
  };
  EXPECT_MEETING("AC", (Meeting{.teacher = teacher(499)}));
  const judge::TestResult met = meet({.teacher = teacher(500)});
  EXPECT_EQ(met.letters, "CE");
  EXPECT_EQ(met.message, "teacher created too many files (501)");
  EXPECT_EQ(meet({.teacher = teacher(600)}).message, "teacher created too many files (601)");
  // Where something else is wrong, that is said.
  EXPECT_MEETING("WA",
                 (Meeting{.teacher = teacher(600), .student = in_python("input()\nprint('x')\n")}));
}

TEST_F(NojTeacher, BothSidesErrorsAreToldApart) {
  NEEDS_METERS();
  const std::string crash = "*(volatile int*)0=1;return 0;";
  EXPECT_MEETING("RE",
                 (Meeting{.teacher = c_program(crash), .student = in_c(c_program(kPatient))}));
  EXPECT_MEETING("RE", (Meeting{.student = in_c(c_program(crash))}));
  // The student's comes first, whatever the teacher wrote.
  EXPECT_MEETING("RE", (Meeting{.student = in_c(c_program("puts(\"pong\");return 5;"))}));
  EXPECT_MEETING("MLE", (Meeting{.student = in_python("x=bytearray(100<<20)\ninput()\n")}));
}

TEST_F(NojTeacher, NobodyOutlivesTheWatchdog) {
  NEEDS_METERS();
  const auto begun = std::chrono::steady_clock::now();
  const judge::TestResult met = meet({.teacher = c_program("for(;;)pause();"),
                                      .student = in_c(c_program("for(;;)pause();")),
                                      .time = 500ms});
  EXPECT_EQ(met.letters, "TLE") << met.message;
  EXPECT_LT(met.wall, 2500ms);
  EXPECT_LT(met.interaction.value().interactor.value().wall, 2500ms);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, scaled(10s));
}

TEST_F(NojTeacher, TooMuchOnThePipeIsTheOutputLimit) {
  NEEDS_METERS();
  const judge::TestResult met = meet(
      {.teacher = c_program("while(fread(line,1,sizeof line,stdin)>0);return word(\"AC\",\"\");"),
       .student =
           in_c(c_program("for(;;)puts(\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\");")),
       .time = 5s});
  EXPECT_EQ(met.letters, "OLE") << met.message;
  EXPECT_GT(met.output_size, 64_MiB);  // it writes on until it is dead
}

}  // namespace
}  // namespace assay::test
