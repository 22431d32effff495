// `sandbox` as Normal-OJ's runner calls it: in the directory with the sources.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

#include "tests/end_to_end/command.h"

namespace assay::test {
namespace {

constexpr const char* kC = "0";
constexpr const char* kCpp = "1";
constexpr const char* kPython = "2";

struct Call {
  std::string language = kC;
  bool compile = false;
  std::string time = "1000";
  std::string memory = "65536";
  std::string output = "67108864";
  std::string input = "";
  bool may_write = false;
  bool network_word = false;
};
struct Said {
  Ran ran{};
  std::vector<std::string> lines{};  // of the result file
  std::string out{}, err{};
};

class NojSandbox : public ::testing::Test {
 protected:
  Said call(const Call& call) {
    (void)scratch_.write("stdin.txt", call.input);
    for (const char* name : {"stdout.txt", "stderr.txt", "result.txt"})
      ::unlink((scratch_.path() + "/" + name).c_str());
    std::vector<std::string> argv{"/usr/bin/env", "-C", scratch_.path()};
    if (std::getenv("ASSAY_TEST_DEGRADED") != nullptr)
      argv.emplace_back("SANDBOX_ALLOW_DEGRADED=1");
    if (call.may_write) argv.emplace_back("SANDBOX_ALLOW_WRITE=1");
    for (const std::string& word : {std::string(ASSAY_BIN_DIR) + "/sandbox", call.language,
                                    std::string(call.compile ? "1" : "0"), std::string("stdin.txt"),
                                    std::string("stdout.txt"), std::string("stderr.txt"), call.time,
                                    call.memory, std::string("1"), call.output, std::string("10")})
      argv.push_back(word);
    if (call.network_word) argv.emplace_back("0");
    argv.emplace_back("result.txt");
    Said said{.ran = run_command(argv)};
    std::istringstream result(file("result.txt"));
    for (std::string line; std::getline(result, line);)
      said.lines.push_back(line);
    said.lines.resize(4);
    said.out = file("stdout.txt");
    said.err = file("stderr.txt");
    return said;
  }

  Said compile_and_run(const std::string& source, Call run = {}) {
    (void)scratch_.write(run.language == kCpp ? "main.cpp" : "main.c", source);
    const Said compiled =
        call({.language = run.language, .compile = true, .time = "20000", .memory = "1048576"});
    EXPECT_EQ(compiled.lines[0], "Exited Normally") << compiled.err << compiled.ran.err;
    return call(run);
  }
  Said run_python(const std::string& source, Call run = {}) {
    (void)scratch_.write("main.py", source);
    run.language = kPython;
    return call(run);
  }

  [[nodiscard]] std::string file(const std::string& name) const {
    return content_of(scratch_.path() + "/" + name);
  }
  [[nodiscard]] bool has(const std::string& name) const {
    return ::access((scratch_.path() + "/" + name).c_str(), F_OK) == 0;
  }
  static bool has_meters() { return std::getenv("ASSAY_TEST_DEGRADED") == nullptr; }

  Scratch scratch_;
};

TEST_F(NojSandbox, CompilesAndRunsC) {
  const Said said = compile_and_run(
      "#include <stdio.h>\nint main(void){int a,b;scanf(\"%d%d\",&a,&b);printf(\"%d\\n\",a+b);}",
      {.input = "3 4\n"});
  EXPECT_EQ(said.ran.code, 0) << said.ran.err;
  EXPECT_EQ(said.lines[0], "Exited Normally");
  EXPECT_EQ(said.lines[1], "WIFEXITED - WEXITSTATUS() = 0");
  EXPECT_EQ(said.out, "7\n");
  EXPECT_EQ(said.err, "");
  struct stat made{};
  ASSERT_EQ(::stat((scratch_.path() + "/main").c_str(), &made), 0);
  EXPECT_EQ(made.st_mode & 07777, 0755U);
}

TEST_F(NojSandbox, CompilesEveryCFileOfTheDirectory) {
  (void)scratch_.write("other.c", "int other(void){return 5;}");
  (void)scratch_.write("other.h", "int other(void);");
  EXPECT_EQ(compile_and_run("#include <stdio.h>\n#include \"other.h\"\n"
                            "int main(void){printf(\"%d\",other());}")
                .out,
            "5");
}

TEST_F(NojSandbox, CompilesAndRunsCppAndTakesTheTwelfthArgument) {
  const Said said = compile_and_run(
      "#include <iostream>\n#include <mutex>\nint main(){std::mutex m;std::lock_guard g(m);"
      "std::cout<<\"hello\\n\";}",
      {.language = kCpp, .network_word = true});
  EXPECT_EQ(said.lines[0], "Exited Normally") << said.ran.err;
  EXPECT_EQ(said.out, "hello\n");
  EXPECT_EQ(said.err, "");
}

TEST_F(NojSandbox, RunsPython) {
  const Said said =
      run_python("import random\nprint(sum(map(int,input().split())))\n", {.input = "20 22\n"});
  EXPECT_EQ(said.lines[0], "Exited Normally") << said.err;
  EXPECT_EQ(said.out, "42\n");
}

TEST_F(NojSandbox, ASourceThatDoesNotCompileIsARuntimeErrorOfTheCompiler) {
  (void)scratch_.write("main.c", "int main(void) { return nothing; }");
  const Said said = call({.compile = true, .time = "20000", .memory = "1048576"});
  EXPECT_EQ(said.ran.code, 0);
  EXPECT_EQ(said.lines[0], "RE");
  EXPECT_EQ(said.lines[1], "WIFEXITED - WEXITSTATUS() = 1");
  EXPECT_NE(said.err.find("nothing"), std::string::npos);
  EXPECT_FALSE(has("main"));
}

TEST_F(NojSandbox, TooLongIsTheLimitAndTheWatchersExtra) {
  const Said said = compile_and_run("int main(void){for(volatile int i=0;;)++i;}", {.time = "300"});
  EXPECT_EQ(said.lines[0], "TLE");
  EXPECT_EQ(said.lines[1], "WEXITSTATUS() = 0, WTERMSIG() = 9 (Killed)");
  EXPECT_EQ(said.lines[2], "600");
}

TEST_F(NojSandbox, TooMuchMemoryIsOneEvenWhenItExitsWell) {
  if (!has_meters()) GTEST_SKIP() << "needs cgroups";
  const Said said = run_python("x = bytearray(100 << 20)\nprint(len(x))\n");
  EXPECT_EQ(said.lines[0], "MLE") << said.err;
  EXPECT_EQ(said.lines[1], "WEXITSTATUS() = 0");
  EXPECT_GT(std::atol(said.lines[3].c_str()), 65536);
}

TEST_F(NojSandbox, TooMuchOutputIsOneOnAnyStream) {
  const Said said = run_python("while True: print('x' * 1000)\n", {.output = "100000"});
  EXPECT_EQ(said.lines[0], "OLE");
  EXPECT_EQ(said.lines[1], "WEXITSTATUS() = 0, WTERMSIG() = 25 (File size limit exceeded)");
  EXPECT_EQ(said.out.size(), 100000U);
}

TEST_F(NojSandbox, ACrashIsNamed) {
  const Said said = compile_and_run("int main(void){*(volatile int*)0=1;}");
  EXPECT_EQ(said.lines[0], "RE");
  EXPECT_EQ(said.lines[1], "WEXITSTATUS() = 0, WTERMSIG() = 11 (Segmentation fault)");
}

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
  (void)scratch_.write("main.py", "print('ab')\n");
  (void)scratch_.write("result.txt", "a much longer text than any result has\nand more\n\n\n\n");
  (void)scratch_.write("kept", "123456789\n");
  const Ran ran = run_command(
      {"/usr/bin/env", "-C", scratch_.path(), std::string(ASSAY_BIN_DIR) + "/sandbox", "2", "0",
       "/dev/null", "kept", "/dev/null", "1000", "65536", "1", "1000", "10", "result.txt"});
  if (ran.code != 0 && !has_meters()) GTEST_SKIP() << "needs cgroups";
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(file("kept"), "ab\n456789\n");
  EXPECT_EQ(file("result.txt").substr(0, 16), "Exited Normally\n");
}

TEST_F(NojSandbox, MistakesAreExitCodeOneAndASentence) {
  const std::string sandbox = std::string(ASSAY_BIN_DIR) + "/sandbox";
  const Ran few = run_command({sandbox, "0", "1"});
  EXPECT_EQ(few.code, 1);
  EXPECT_TRUE(few.err.starts_with("Error: need 11 arguments\nusage: sandbox ")) << few.err;
  const Ran missing = run_command({"/usr/bin/env", "-C", scratch_.path(), sandbox, "2", "0",
                                   "nothing", "o", "e", "1000", "65536", "1", "1000", "10", "r"});
  EXPECT_EQ(missing.code, 1);
  EXPECT_TRUE(missing.err.starts_with("Error: ")) << missing.err;
  EXPECT_NE(missing.err.find("'nothing'"), std::string::npos) << missing.err;
  const Ran network =
      run_command({"/usr/bin/env", "-C", scratch_.path(), sandbox, "2", "0", "/dev/null", "o", "e",
                   "1000", "65536", "1", "1000", "10", "1", "r"});
  EXPECT_EQ(network.code, 1);
  EXPECT_NE(network.err.find("allow_network"), std::string::npos) << network.err;
}

}  // namespace
}  // namespace assay::test
