// `sandbox` as Normal-OJ's runner calls it: in the directory with the sources.
#include "tests/noj/fixture_sandbox.h"

namespace assay::test {
namespace {

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
