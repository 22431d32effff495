// Sources and Makefiles that attack whoever compiles them.
#include <fcntl.h>
#include <unistd.h>

#include "tests/judging/fixture.h"
#include "tests/judging/fixture_archives.h"
#include "tests/support/listener.h"
#include "tests/support/traces.h"

namespace assay::test {
namespace {

using judge::JudgeResult;
using std::string;

class HostileSourceTest : public JudgingTest {
 protected:
  void SetUp() override {
    JudgingTest::SetUp();
    compile_limits = {.cpu_time = scaled(3s), .wall_time = scaled(6s), .memory = 512_MiB};
  }
  JudgeResult compile(const judge::Submission& submission) {
    judge::Problem problem = problem_of({{"", ""}});
    if (submission.archive) problem.build = judge::BuildStrategy::MakeNormal;
    return judge(problem, submission);
  }
  JudgeResult compile_bounded(const string& language, const string& source) {
    JudgeResult result = compile({.language = language, .sources = {{"", source}}});
    if (!result.compile) result.compile.emplace();
    EXPECT_LE(result.compile->log.size(), judge::kLogLimit.count + 200) << source;
    EXPECT_LE(result.compile->time, scaled(4s)) << source;
    EXPECT_LE(result.compile->memory, 512_MiB) << source;
    return result;
  }
  JudgeResult make(const string& recipe) {
    const string makefile = "all:\n\t@" + recipe + "\n";
    return compile(
        {.language = "c", .archive = judge::Content{.text = pack({{"Makefile", makefile}})}});
  }
};

string including(const string& path) {
  return "#include \"" + path + "\"\nint main(void) { return 0; }\n";
}

TEST_F(HostileSourceTest, SecretsOfTheHostAreNotThereToBeIncluded) {
  for (const char* path :
       {"/etc/shadow", "/root/.profile", "/proc/1/environ", "/etc/ssh/sshd_config"}) {
    const JudgeResult result = compile(in_c("#include \"" + string(path) + "\"\n"));
    EXPECT_EQ(result.letters, "CE") << path;
    EXPECT_NE(result.compile->log.find("No such file"), string::npos) << result.compile->log;
    EXPECT_EQ(result.compile->log.find("root:"), string::npos) << result.compile->log;
  }
}

TEST_F(HostileSourceTest, AssemblerCannotIncludeThemEither) {
  const JudgeResult result =
      compile(in_c("__asm__(\".incbin \\\"/etc/shadow\\\"\");\nint main(void) { return 0; }\n"));
  EXPECT_EQ(result.letters, "CE");
  EXPECT_NE(result.compile->log.find("file not found"), string::npos) << result.compile->log;
}

TEST_F(HostileSourceTest, FilesWithoutAnEndAreACompileError) {
  NEEDS_METERS();
  for (const char* path : {"/dev/zero", "/dev/random", "/dev/urandom", "/dev/full"})
    EXPECT_EQ(compile_bounded("c", including(path)).letters, "CE") << path;
  EXPECT_EQ(compile_bounded("cpp", including("/dev/zero")).letters, "CE");
}

// Nothing is on its stdin; its stdout is a pipe, on which it waits for itself.
TEST_F(HostileSourceTest, TheCompilersOwnStreamsAreEmptyOrRefused) {
  EXPECT_EQ(compile_bounded("c", including("/proc/self/fd/0")).letters, "AC");
  for (const char* path : {"/proc/self/fd/1", "/proc/self/fd/9"})
    EXPECT_EQ(compile_bounded("c", including(path)).letters, "CE") << path;
}

// 2^30 words of a few lines.
TEST_F(HostileSourceTest, AMacroThatGrowsIsACompileError) {
  NEEDS_METERS();
  string source = "#define A0 1 +\n";
  for (int i = 1; i <= 30; ++i)
    source += "#define A" + std::to_string(i) + " A" + std::to_string(i - 1) + " A" +
              std::to_string(i - 1) + "\n";
  const string rest = "int main(void) { return A30 1; }\n";
  for (const string language : {"c", "cpp"})
    EXPECT_EQ(compile_bounded(language, source + rest).letters, "CE") << language;
}

TEST_F(HostileSourceTest, AFileThatIncludesItselfTwiceIsACompileError) {
  NEEDS_METERS();
  const string source =
      "#if __INCLUDE_LEVEL__ < 26\n#include __FILE__\n#include __FILE__\n#endif\nint x = y;\n";
  EXPECT_EQ(compile_bounded("c", source).letters, "CE");
}

// Options that a source may give its compiler, and what an assembler would do for it.
TEST_F(HostileSourceTest, DirectivesReachNoMoreThanTheCompilerDoes) {
  const Canary canary(0644);
  for (const string& source :
       {"#pragma GCC dependency \"" + canary.path() + "\"\nint main(void) { return 0; }\n",
        "#line 1 \"" + canary.path() + "\"\nint main(void) { return x; }\n",
        string("__asm__(\".rept 1000000000\\n.quad 0\\n.endr\");\nint main(void) { return 0; }\n"),
        string("__asm__(\".fill 1 << 40\");\nint main(void) { return 0; }\n")}) {
    const JudgeResult result = compile_bounded("c", source);
    EXPECT_EQ(result.letters, "CE") << source;
    EXPECT_FALSE(result.compile->log.contains(canary.secret())) << result.compile->log;
  }
  EXPECT_TRUE(canary.is_untouched());
}

TEST_F(HostileSourceTest, ATemplateBombEnds) {
  NEEDS_METERS();
  const JudgeResult result = compile_bounded(
      "cpp",
      "template <int N, class T> struct A { static const int v = A<N - 1, A<N, T>>::v + "
      "A<N - 1, A<N - 1, T>>::v; };\n"
      "template <class T> struct A<0, T> { static const int v = 1; };\n"
      "int main() { return A<100, int>::v; }\n");
  EXPECT_EQ(result.letters, "CE");
  EXPECT_TRUE(result.compile->error.contains("stopped")) << result.compile->error;
}

TEST_F(HostileSourceTest, AConstexprBombEnds) {
  NEEDS_METERS();
  const JudgeResult result = compile_bounded(
      "cpp",
      "constexpr long f(long n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n"
      "constexpr long g(long n) { long s = 0; for (long i = 0; i < n; ++i) s += f(i "
      "% 40); return s; }\n"
      "static_assert(g(1000000) != 1);\n"
      "int main() {}\n");
  EXPECT_EQ(result.letters, "CE");
}

// More than a file of a compiler may have, and no more than a directive of its source.
TEST_F(HostileSourceTest, HugeDebugInformationIsNotMade) {
  NEEDS_METERS();
  const JudgeResult result =
      compile_bounded("c",
                      "__asm__(\".pushsection .debug_info\\n.fill 300000000\\n.popsection\");\n"
                      "int main(void) { return 0; }\n");
  EXPECT_EQ(result.letters, "CE");
  EXPECT_TRUE(result.compile->log.contains("File size limit")) << result.compile->log;
}

TEST_F(HostileSourceTest, AProgramOfManyGigabytesIsNotMade) {
  const JudgeResult result =
      compile(in_c("char big[20000000000UL] = {1};\nint main(void) { return 0; }\n"));
  EXPECT_EQ(result.letters, "CE");
}

TEST_F(HostileSourceTest, AMakefileSeesNoSecretsAndCannotWriteOutside) {
  const JudgeResult result = make(
      "cat /etc/shadow; cat /proc/1/environ; for d in / /etc /usr /usr/bin /home /root /proc; do "
      "touch $$d/evil 2>/dev/null && echo wrote $$d; done; id -u; false");
  EXPECT_EQ(result.letters, "CE");
  EXPECT_EQ(result.compile->log.find("wrote"), string::npos) << result.compile->log;
  EXPECT_EQ(result.compile->log.find("root:"), string::npos) << result.compile->log;
  EXPECT_EQ(result.compile->log.find("PATH="), string::npos) << result.compile->log;
  EXPECT_NE(result.compile->log.find("\n1000\n"), string::npos) << result.compile->log;
}

// hostile_compile_time_test.cc has everybody else who runs in this box.
TEST_F(HostileSourceTest, AMakefileHasNoNetwork) {
  Listener door;
  const JudgeResult result = make("bash -c 'exec 3<>/dev/tcp/127.0.0.1/" +
                                  std::to_string(door.port()) + " && echo connected'; false");
  EXPECT_EQ(result.letters, "CE");
  EXPECT_EQ(result.compile->log.find("connected\n"), string::npos) << result.compile->log;
  EXPECT_FALSE(door.was_called());
}

TEST_F(HostileSourceTest, AMakefileThatRunsForeverEndsAtTheLimit) {
  for (const char* recipe : {"while :; do :; done", "sleep 1000"}) {
    const JudgeResult result = make(recipe);
    EXPECT_EQ(result.letters, "CE");
    EXPECT_NE(result.compile->error.find("stopped"), string::npos) << result.compile->error;
  }
}

TEST_F(HostileSourceTest, AForkBombInAMakefileEndsAtTheLimitAndLeavesNothing) {
  NEEDS_METERS();
  const JudgeResult result =
      make("bash -c 'b() { b | b & }; for i in 1 2 3 4 5 6 7 8; do b; done; sleep 2; exit 1'");
  EXPECT_EQ(result.letters, "CE") << result.message;
}

TEST_F(HostileSourceTest, AMakefileThatPrintsForeverEndsAndItsLogIsCut) {
  const JudgeResult result = make("yes");
  EXPECT_EQ(result.letters, "CE");
  EXPECT_NE(result.compile->error.find("stopped"), string::npos) << result.compile->error;
  EXPECT_LE(result.compile->log.size(), judge::kLogLimit.count + 200);
}

TEST_F(HostileSourceTest, AMakefileThatFillsTheDiskFillsItsOwn) {
  const JudgeResult result = make("dd if=/dev/zero of=big bs=1M count=100000 2>/dev/null; false");
  EXPECT_EQ(result.letters, "CE") << result.message;
}

TEST_F(HostileSourceTest, AMakefileThatMakesAHugeProgramIsStopped) {
  const JudgeResult result =
      make("printf '\\177ELF' > a.out; truncate -s 10G a.out && chmod +x a.out");
  EXPECT_EQ(result.letters, "CE") << result.message;
  EXPECT_FALSE(result.compile->error.empty());
}

TEST_F(HostileSourceTest, WhatAMakefileLeavesRunningIsGone) {
  const JudgeResult result = make("sleep 1000 & false");
  EXPECT_EQ(result.letters, "CE");  // the fixture looks for what is left
}

}  // namespace
}  // namespace assay::test
