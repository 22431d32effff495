// A student that looks for its teacher, and a teacher's Check_Result that is no file.
#include <gtest/gtest.h>

#include "tests/judging/fixture.h"

namespace assay::test {
namespace {

class NojAttack : public JudgingTest {
 protected:
  NojAttack() { policy = "noj"; }

  judge::TestResult meet(const std::string& teacher, const std::string& student,
                         const std::string& student_name = "") {
    judge::Problem problem{
        .kind = judge::ProblemKind::Interactive,
        .build = judge::BuildStrategy::MakeInteractive,
        .limits = {.cpu_time = 2s, .memory = 64_MiB},
        .tests = {{.id = "0000", .input = {.text = "the secret of the teacher\n"}, .subtask = "0"}},
        .subtasks = {{.id = "0", .score = 100}},
        .interactor =
            judge::Interactor{.source = {.language = "python3", .sources = {{"", teacher}}},
                              .protocol = judge::Protocol::Noj,
                              .starts_first = true},
        .run_profiles = {{"native", "noj-native"}, {"python", "noj-python"}}};
    judge::Submission submission = in_python(student);
    if (!student_name.empty()) submission.sources[0].name = student_name;
    const judge::JudgeResult result = judge(problem, submission);
    EXPECT_EQ(result.tests.size(), 1U) << result.message;
    return result.tests.empty() ? judge::TestResult{} : result.tests.front();
  }
};

// Accepts what it hears and shows it.
const std::string kHears =
    "import sys\nheard=sys.stdin.read().strip()\n"
    "open('Check_Result','w').write('STATUS: AC\\nMESSAGE: '+heard+'\\n')\n";

TEST_F(NojAttack, ThereIsNoTeacherAnywhereTheStudentCanLook) {
  const judge::TestResult met = meet(kHears, R"(
import os
SYSTEM = ('proc', 'usr', 'lib', 'lib64', 'bin', 'sbin', 'etc', 'dev')
seen = []
for path in ['/teacher', '/teacher/main.py', '/teacher/testcase.in', '/workspace/teacher',
             '/teacher/Check_Result', '../teacher', '/workspace/teacher/testcase.in']:
    for name, attempt in [('stat', os.stat), ('list', os.listdir), ('open', open)]:
        try:
            attempt(path)
            seen.append(name + path)
        except OSError as error:
            if error.errno not in (2, 13, 20): seen.append(str(error))
for top, directories, files in os.walk('/'):
    directories[:] = [name for name in directories if top != '/' or name not in SYSTEM]
    for name in files:
        try:
            text = open(os.path.join(top, name), 'rb').read(100000)
        except OSError:
            continue
        if b'secret of the ' + b'teacher' in text: seen.append(name)
print(seen)
)");
  EXPECT_EQ(met.letters, "AC") << met.message << met.errors;
  EXPECT_EQ(met.message, "[]");
}

TEST_F(NojAttack, NoProcessOfTheTeacherCanBeSeen) {
  const judge::TestResult met = meet(kHears, R"(
import os
others = [name for name in os.listdir('/proc') if name.isdigit() and int(name) not in (1, os.getpid())]
print(others, os.getppid() < 2)
)");
  EXPECT_EQ(met.letters, "AC") << met.message << met.errors;
  EXPECT_EQ(met.message, "[] True");
}

TEST_F(NojAttack, SignalsAndTracingEndTheStudentAlone) {
  NEEDS_METERS();
  for (const char* attack :
       {"os.kill(-1, 9)", "os.kill(1, 9)", "ctypes.CDLL(None).ptrace(16, 1, 0, 0)"}) {
    const judge::TestResult met =
        meet(kHears, std::string("import os, ctypes\n") + attack + "\nprint('still here')\n");
    EXPECT_EQ(met.letters, "RE") << attack << met.message;
    EXPECT_EQ(met.interaction.value().interactor.value().end, sandbox::End(sandbox::Exited{0}))
        << attack;
  }
}

TEST_F(NojAttack, TheTeacherReadsTheSourcesAndCannotChangeThem) {
  const judge::TestResult met = meet(R"(
import os, sys
sys.stdin.read()
text = open('/src/main.py').read()
same = os.path.samefile('/src', '/workspace/src')
try:
    open('/src/main.py', 'a')
    message = 'it could write'
except PermissionError:
    message = 'read only'
open('Check_Result', 'w').write(
    f"STATUS: {'AC' if 'a remark' in text and same else 'WA'}\nMESSAGE: {message}")
)",
                                     "print('hello')  # a remark\n");
  EXPECT_EQ(met.letters, "AC") << met.message << met.checker_log;
  EXPECT_EQ(met.message, "read only");
}

TEST_F(NojAttack, TheTwoAreTheUsersOfNormalOj) {
  const judge::TestResult met = meet(R"(
import os, sys
student = sys.stdin.read().strip()
mine = f'{os.getuid()} {os.getgid()} {os.getcwd()} {os.environ["SANDBOX_ALLOW_WRITE"]}'
open('Check_Result', 'w').write(f'STATUS: AC\nMESSAGE: {student}, {mine}, {os.environ["CASE_PATH"]}')
)",
                                     "import os\nprint(os.getuid(), os.getgid(), os.getcwd(),"
                                     "os.environ.get('SANDBOX_ALLOW_WRITE'))\n");
  EXPECT_EQ(met.message, "1451 1450 /src None, 1450 1450 /teacher 1, /teacher/testcase.in")
      << met.checker_log;
}

TEST_F(NojAttack, ACheckResultThatIsNoPlainFileIsNone) {
  const std::string beginning = "import os, sys\nsys.stdin.read()\n";
  struct Case {
    const char* about;
    std::string end;
    const char* says;
  };
  const Case cases[] = {
      {"a link to a file", "open('x','w').write('STATUS: AC')\nos.symlink('x','Check_Result')\n",
       "symbolic link"},
      {"a link out of the box", "os.symlink('/etc/passwd','Check_Result')\n", "symbolic link"},
      {"a directory", "os.mkdir('Check_Result')\n", "directory"},
      {"a FIFO", "os.mkfifo('Check_Result')\n", "not a regular file"},
      {"larger than any word", "open('Check_Result','w').write('STATUS: AC\\n'+'x'*(1<<20))\n",
       "larger"},
      {"without bytes", "open('Check_Result','w')\n", "Invalid Check_Result STATUS"},
      {"binary", "open('Check_Result','wb').write(bytes(range(256))*50)\n",
       "Invalid Check_Result STATUS"},
      {"with the word in another case", "open('Check_Result','w').write('status: AC')\n",
       "Invalid Check_Result STATUS"},
      {"with the word not in front", "open('Check_Result','w').write(' STATUS: AC')\n",
       "Invalid Check_Result STATUS"},
  };
  for (const Case& each : cases) {
    const judge::TestResult met = meet(beginning + each.end, "print('hello')\n");
    EXPECT_EQ(met.letters, "CE") << each.about << ": " << met.message << met.checker_log;
    EXPECT_NE(met.message.find(each.says), std::string::npos) << each.about << ": " << met.message;
  }
}

}  // namespace
}  // namespace assay::test
