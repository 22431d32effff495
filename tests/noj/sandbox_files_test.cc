// What a program under `sandbox` may do with files, and what becomes of those it was given.
#include "tests/noj/fixture_sandbox.h"

namespace assay::test {
namespace {

TEST_F(NojSandbox, WritingIsSigsysInCAndInPython) {
  const std::string write_c =
      "#include <stdio.h>\nint main(void){fopen(\"made\",\"w\");puts(\"went on\");}";
  const Said in_c = compile_and_run(write_c);
  EXPECT_EQ(in_c.lines[0], "RE");
  EXPECT_EQ(in_c.lines[1], "WEXITSTATUS() = 0, WTERMSIG() = 31 (Bad system call)");
  EXPECT_EQ(in_c.out, "");
  const Said in_python = run_python("open('made','w')\nprint('went on')\n");
  EXPECT_EQ(in_python.lines[0], "RE");
  EXPECT_EQ(in_python.lines[1], "WEXITSTATUS() = 0, WTERMSIG() = 31 (Bad system call)");
  EXPECT_FALSE(has("made"));
}

TEST_F(NojSandbox, NoCallThatMakesOrChangesAFileIsLeft) {
  const char* calls[] = {"os.mkdir('made')",
                         "os.rename('main.py','made')",
                         "os.unlink('main.py')",
                         "os.symlink('x','made')",
                         "os.link('main.py','made')",
                         "os.chmod('main.py',0)",
                         "os.truncate('main.py',0)",
                         "os.open('made',os.O_CREAT)",
                         "os.open('main.py',os.O_RDONLY|os.O_TRUNC)",
                         "os.mkfifo('made')"};
  for (const char* each : calls) {
    const Said said = run_python(std::string("import os\n") + each + "\nprint('went on')\n");
    EXPECT_EQ(said.lines[1], "WEXITSTATUS() = 0, WTERMSIG() = 31 (Bad system call)") << each;
  }
}

TEST_F(NojSandbox, ReadingIsNoViolation) {
  const Said said = run_python("print(open('main.py').read()[:5])\nimport helper\n", {});
  EXPECT_EQ(said.lines[0], "RE");  // there is no such module
  (void)scratch_.write("helper.py", "x = 3\n");
  EXPECT_EQ(run_python("import helper\nprint(helper.x)\n").out, "3\n");
}

TEST_F(NojSandbox, WhoMayWriteFindsItsFilesInTheDirectoryAfterwards) {
  ::mkdir((scratch_.path() + "/sub").c_str(), 0755);
  (void)scratch_.write("data", "old");
  const Said said = run_python(
      "import os\nos.makedirs('sub/deep')\nopen('sub/deep/made','w').write('new')\n"
      "open('data','w').write('changed')\nos.symlink('/etc/passwd','link')\nprint(os.getuid())\n",
      {.may_write = true});
  EXPECT_EQ(said.lines[0], "Exited Normally") << said.err;
  EXPECT_EQ(said.out, "1451\n");
  EXPECT_EQ(file("sub/deep/made"), "new");
  EXPECT_EQ(file("data"), "changed");
  EXPECT_FALSE(has("link"));
}

TEST_F(NojSandbox, RunsATeachersProgramAsOneWhenTold) {
  const std::string tells =
      "import os\nopen('Check_Result','w').write('STATUS: AC')\nprint(os.getuid(),os.getgid())\n";
  const Said teacher = run_python(tells, {.environment = {"SANDBOX_UID=1450", "SANDBOX_GID=1450"}});
  EXPECT_EQ(teacher.lines[0], "Exited Normally") << teacher.err << teacher.ran.err;
  EXPECT_EQ(teacher.out, "1450 1450\n");
  EXPECT_EQ(file("Check_Result"), "STATUS: AC");
  const Said student = run_python("import os\nprint(os.getuid(),os.getgid())\n",
                                  {.environment = {"SANDBOX_UID=1451", "SANDBOX_GID=1450"}});
  EXPECT_EQ(student.out, "1451 1450\n");
}

TEST_F(NojSandbox, RunsNothingAsAnybodyElse) {
  for (const char* wish : {"SANDBOX_UID=0", "SANDBOX_UID=14500", "SANDBOX_GID=0"}) {
    const Said said = run_python("print(1)\n", {.environment = {wish}});
    EXPECT_EQ(said.ran.code, 1) << wish;
    EXPECT_EQ(said.out, "") << wish;
    EXPECT_NE(said.ran.err.find(std::string(wish).substr(0, 11)), std::string::npos)
        << said.ran.err;
  }
}

TEST_F(NojSandbox, ALinkInTheDirectoryLeadsNowhere) {
  const Scratch elsewhere;
  (void)elsewhere.write("secret", "secret");
  ASSERT_EQ(::symlink((elsewhere.path() + "/secret").c_str(), (scratch_.path() + "/link").c_str()),
            0);
  ASSERT_EQ(::symlink(elsewhere.path().c_str(), (scratch_.path() + "/dir").c_str()), 0);
  const Said said = run_python(
      "import os\nprint(os.path.lexists('link'))\nos.makedirs('dir',exist_ok=True)\n"
      "open('dir/secret','w').write('stolen')\n",
      {.may_write = true});
  EXPECT_EQ(said.out, "False\n") << said.err;
  EXPECT_EQ(content_of(elsewhere.path() + "/secret"), "secret");
}

TEST_F(NojSandbox, AShellCannotBeStartedFromPython) {
  const Said said = run_python(
      "import ctypes\nctypes.CDLL(None).execl(b'/bin/sh',b'sh',b'-c',b'echo free',None)\n");
  EXPECT_EQ(said.lines[0], "RE");
  EXPECT_EQ(said.out, "");
}

TEST_F(NojSandbox, OutputsAreNotCut) {
  if (!has_meters()) GTEST_SKIP() << "needs cgroups";
  (void)scratch_.write("main.py", "print('ab')\n");
  (void)scratch_.write("result.txt", "a much longer text than any result has\nand more\n\n\n\n");
  (void)scratch_.write("kept", "123456789\n");
  const Ran ran = run_command(
      {"/usr/bin/env", "-C", scratch_.path(), std::string(ASSAY_BIN_DIR) + "/sandbox", "2", "0",
       "/dev/null", "kept", "/dev/null", "1000", "65536", "1", "1000", "10", "result.txt"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(file("kept"), "ab\n456789\n");
  EXPECT_EQ(file("result.txt").substr(0, 16), "Exited Normally\n");
}

// Both open their reading ends first, as the two of an interactive run do.
TEST_F(NojSandbox, TwoTalkThroughFifos) {
  if (!has_meters()) GTEST_SKIP() << "needs cgroups";
  for (const char* name : {"/s2t.fifo", "/t2s.fifo"})
    ASSERT_EQ(::mkfifo((scratch_.path() + name).c_str(), 0600), 0);
  for (const auto& [who, source] :
       {std::pair{"student", "print(int(input()) ** 2, flush=True)\n"},
        {"teacher", "print(12, flush=True)\nimport sys\nprint(input(), file=sys.stderr)\n"}}) {
    ::mkdir((scratch_.path() + "/" + who).c_str(), 0755);
    (void)scratch_.write(std::string(who) + "/main.py", source);
  }
  const std::string sandbox = std::string(ASSAY_BIN_DIR) + "/sandbox";
  const std::string limits = " err 5000 65536 1 67108864 10 res";
  const Ran ran = run_command({"/bin/sh", "-c",
                               "cd " + scratch_.path() + "; (cd student && exec " + sandbox +
                                   " 2 0 ../t2s.fifo ../s2t.fifo" + limits + ") & cd teacher && " +
                                   sandbox + " 2 0 ../s2t.fifo ../t2s.fifo" + limits + "; wait"});
  EXPECT_EQ(file("teacher/err"), "144\n") << ran.err << file("student/err");
  EXPECT_TRUE(file("student/res").starts_with("Exited Normally\n")) << file("student/res");
  EXPECT_TRUE(file("teacher/res").starts_with("Exited Normally\n")) << file("teacher/res");
  for (const char* name : {"/s2t.fifo", "/t2s.fifo"}) {
    struct stat found{};
    ASSERT_EQ(::stat((scratch_.path() + name).c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777, 0600U) << name;
  }
}

// The work place is a stranger's: what is compiled takes the place of a link, and never goes
// through it.
TEST_F(NojSandbox, ALinkThatIsCalledLikeTheProgramLeadsNowhere) {
  const Scratch elsewhere;
  const std::string precious = elsewhere.write("precious", "precious", 0666);
  ASSERT_EQ(::symlink(precious.c_str(), (scratch_.path() + "/main").c_str()), 0);
  (void)scratch_.write("main.c", "int main(void) { return 0; }\n");
  const Said said = call({.compile = true, .time = "20000", .memory = "1048576"});
  EXPECT_EQ(said.lines[0], "Exited Normally") << said.err << said.ran.err;
  EXPECT_EQ(content_of(precious), "precious");
  struct stat found{};
  ASSERT_EQ(::lstat((scratch_.path() + "/main").c_str(), &found), 0);
  EXPECT_TRUE(S_ISREG(found.st_mode));
}

}  // namespace
}  // namespace assay::test
