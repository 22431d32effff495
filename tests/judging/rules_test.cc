// Soft limits, repeats, sanitizers and syntax checks, with real programs.
#include <fmt/format.h>

#include "judge/pipeline.h"
#include "tests/judging/fixture.h"
#include "tests/support/places.h"

namespace assay::test {
namespace {

using judge::JudgeResult;
using verdict::Verdict;

judge::Submission burns(std::chrono::milliseconds time, const std::string& says = "1") {
  return in_c(
      "#include <stdio.h>\n#include <time.h>\nint main(void) { while (clock() * 1000.0 / "
      "CLOCKS_PER_SEC < " +
      std::to_string(time.count()) + ") ; puts(\"" + says + "\"); }");
}

judge::Problem limited(Nanoseconds limit) {
  judge::Problem problem = problem_of({{"", "1"}});
  problem.limits = {.cpu_time = limit, .wall_time = 30s, .memory = 128_MiB};
  return problem;
}

TEST_F(JudgingTest, ASoftLimitTellsWhatTheProgramWouldHaveGot) {
  NEEDS_METERS();
  const judge::JudgeOptions soft{.soft = {2000}};
  const JudgeResult right = judge(limited(200ms), burns(280ms), soft);
  EXPECT_EQ(right.letters, "TLE");
  EXPECT_EQ(right.tests[0].letters_without_limit, "AC") << right.tests[0].message;
  EXPECT_TRUE(right.tests[0].message.ends_with("would pass at 2x")) << right.tests[0].message;
  EXPECT_EQ(right.summary.letters_without_limit, "AC");
  EXPECT_EQ(right.score, 0);
  const JudgeResult wrong = judge(limited(200ms), burns(280ms, "2"), soft);
  EXPECT_EQ(wrong.letters, "TLE");
  EXPECT_EQ(wrong.summary.letters_without_limit, "WA");
  const JudgeResult endless = judge(limited(200ms), burns(1h), soft);
  EXPECT_EQ(endless.letters, "TLE");
  EXPECT_EQ(endless.summary.verdict_without_limit, std::nullopt);
  EXPECT_EQ(judge(limited(200ms), burns(1ms), soft).letters, "AC");
}

TEST_F(JudgingTest, ARunThatEndsJustBehindTheLimitIsRunAgainAndARealOneIsNot) {
  NEEDS_METERS();
  const judge::JudgeOptions again{.repeats = {.most = 2, .margin = {400}}};
  const JudgeResult near = judge(limited(250ms), burns(280ms), again);
  EXPECT_EQ(near.letters, "TLE");
  EXPECT_EQ(near.tests[0].run_times.size(), 3U);
  EXPECT_EQ(near.tests[0].letters_without_limit, "");
  const JudgeResult endless = judge(limited(250ms), burns(1h), again);
  EXPECT_EQ(endless.letters, "TLE");
  EXPECT_TRUE(endless.tests[0].run_times.empty());
  const JudgeResult quick = judge(limited(250ms), burns(1ms), again);
  EXPECT_EQ(quick.letters, "AC");
  EXPECT_TRUE(quick.tests[0].run_times.empty());
}

const char* const kOverflow = R"(
#include <stdio.h>
int main(int argc, char** argv) { (void)argv; int x = 2147483647; x += argc; printf("%d\n", x != 0); })";

TEST_F(JudgingTest, WhatASanitizerReportsIsFlaggedAndTheAnswerStillCounts) {
  NEEDS_METERS();  // else its address space is limited, of which a sanitizer needs terabytes
  const JudgeResult result = judge(limited(1s), in_c(kOverflow), {.sanitize = true});
  EXPECT_EQ(result.letters, "AC") << result.tests[0].message << result.tests[0].errors;
  EXPECT_TRUE(result.tests[0].sanitizer_report) << result.tests[0].errors;
  EXPECT_TRUE(result.summary.sanitizer_report);
  const JudgeResult plain = judge(limited(1s), in_c(kOverflow));
  EXPECT_EQ(plain.letters, "AC");
  EXPECT_FALSE(plain.summary.sanitizer_report);
}

TEST_F(JudgingTest, ASanitizedRunIsNotTooSlowAndNeedsNoAddressSpaceLimit) {
  NEEDS_METERS();
  policy = "noj";  // which limits the address space
  const JudgeResult result = judge(limited(200ms), burns(300ms), {.sanitize = true});
  EXPECT_EQ(result.letters, "AC") << result.tests[0].message << result.tests[0].errors;
}

TEST_F(JudgingTest, NoSubmissionBuysTimeWithAFlagOrAWord) {
  NEEDS_METERS();
  judge::Submission flagged = burns(1h);
  flagged.extra_flags = {"-fsanitize=undefined"};
  EXPECT_EQ(judge(limited(200ms), flagged).letters, "TLE");
  const JudgeResult said = judge(
      limited(200ms),
      in_c("#include <stdio.h>\nint main(void) { fputs(\"a.c:1:1: runtime error: x\\n\", stderr); "
           "for (;;) ; }"));
  EXPECT_EQ(said.letters, "TLE");
  EXPECT_TRUE(said.tests[0].sanitizer_report);
}

TEST_F(JudgingTest, ACheckOfTheSyntaxFindsMistakesBeforeAnyTestRuns) {
  const JudgeResult broken = judge(limited(1s), in_python("print(1"), {.lint = true});
  EXPECT_EQ(broken.letters, "CE");
  EXPECT_EQ(broken.message, "the check of the syntax found mistakes");
  EXPECT_EQ(letters(broken), "SKIPPED");
  EXPECT_FALSE(broken.compile);
  ASSERT_TRUE(broken.lint);
  EXPECT_NE(broken.lint->log.find("SyntaxError"), std::string::npos) << broken.lint->log;
  const JudgeResult good = judge(limited(1s), in_python("print(1)"), {.lint = true});
  EXPECT_EQ(good.letters, "AC");
  ASSERT_TRUE(good.lint);
  EXPECT_TRUE(good.lint->ok);
  EXPECT_EQ(judge(limited(1s), in_python("print(1")).letters, "RE");
}

TEST_F(JudgingTest, ALanguageThatIsCompiledNeedsNoOtherCheckOfItsSyntax) {
  const JudgeResult result = judge(limited(1s), burns(1ms), {.lint = true});
  EXPECT_EQ(result.letters, "AC");
  EXPECT_FALSE(result.lint);
}

TEST_F(JudgingTest, ThePolicyStopsWhereNobodyElseSaysWhen) {
  judge::Problem problem = problem_of({{"", "2"}, {"", "1"}});
  const judge::Submission one = in_python("print(1)");
  policy = "fuzoj";
  EXPECT_EQ(letters(judge(problem, one)), "WA SKIPPED");
  EXPECT_EQ(letters(judge(problem, one, {.stop = judge::StopRule::None})), "WA AC");
  problem.stop = judge::StopRule::None;
  EXPECT_EQ(letters(judge(problem, one)), "WA AC");
  policy = "noj";
  problem.stop.reset();
  EXPECT_EQ(letters(judge(problem, one)), "WA AC");
}

TEST_F(JudgingTest, ScoresThatDoNotAddUpAreRefusedWhereThePolicyWantsThemTo) {
  judge::Problem problem = problem_of({{"", "1"}});
  problem.tests[0].score = 90;
  policy = "noj";
  const auto refused = try_judge(problem, in_python("print(1)"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().context, "the scores add up to 90, and policy 'noj' wants 100");
  policy = "assay";
  EXPECT_EQ(judge(problem, in_python("print(1)")).score, 90);
}

TEST_F(JudgingTest, ACompilerThatIsNotThereIsNamed) {
  judge::Language language{.id = "klingon",
                           .family = "klingon",
                           .name = "Klingon",
                           .source = "main.kl",
                           .output = "main",
                           .compile = {{.argv = {"klingonc", "{source}"}, .outputs = {"main"}}},
                           .run = {.argv = {"./main"}}};
  const auto set = judge::LanguageSet::of({language});
  const auto rules = verdict::load_policy(tried_data() + "/policies", "assay");
  const judge::Judge judge(engine(), *set, profiles(), *rules);
  const auto result =
      judge.judge(problem_of({{"", ""}}), {.language = "klingon", .sources = {{"", "x"}}}, {}, {},
                  cancellation());
  ASSERT_TRUE(result) << describe(result.error());
  EXPECT_EQ(result->letters, "SE");
  EXPECT_NE(result->message.find("the compiler of Klingon does not start"), std::string::npos)
      << result->message;
  EXPECT_NE(result->message.find("klingonc"), std::string::npos) << result->message;
}

TEST_F(JudgingTest, AnUnlimitedStackIsReallyOne) {
  judge::Problem problem = problem_of({{"", "1"}});
  problem.limits = {.cpu_time = scaled(5s), .memory = 256_MiB, .stack = 8_MiB};
  const judge::Submission deep = in_c(
      "#include <stdio.h>\n#include <string.h>\n"
      "__attribute__((noinline)) static int down(int n) { volatile char a[1 << 20]; "
      "memset((char*)a, n, sizeof a); return n == 0 ? a[5] : down(n - 1) + a[7]; }\n"
      "int main(void) { printf(\"%d\\n\", down(100) != -1); }");
  EXPECT_EQ(judge(problem, deep).letters, "RE");
  problem.limits.stack.reset();
  policy = "rbx";
  EXPECT_EQ(judge(problem, deep).letters, "AC");
}

judge::Submission writes_file(int megabytes, int heap = 0) {
  return in_c(fmt::format(R"(
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char block[1 << 20];
int main(void) {{
  volatile char *heap = malloc(((size_t){1} << 20) + 1);
  for (size_t i = 0; i < (size_t){1} << 20; i += 4096) heap[i] = 1;
  FILE *file = fopen("out.txt", "w");
  for (int i = 0; i < {0}; ++i)
    if (fwrite(block, 1, sizeof block, file) != sizeof block) return 1;
  return fclose(file) != 0;
}})",
                          megabytes, heap));
}

// Any output file will do.
judge::Problem of_files(const sandbox::Limits& limits) {
  judge::Problem problem = problem_of({{"", ""}});
  problem.io_mode = judge::IoMode::FileIo;
  problem.input_file = "in.txt";
  problem.output_file = "out.txt";
  problem.checker = judge::CheckerProgram{.source = {.language = "bash", .sources = {{"", ":"}}}};
  problem.limits = limits;
  return problem;
}

// C-3: files lie in memory that is charged, and must not turn OLE, or AC, into MLE.
TEST_F(JudgingTest, ALargeOutputFileIsNoMemoryOfTheProgram) {
  NEEDS_METERS();
  judge::Problem problem = of_files({.memory = 32_MiB, .output = 64_MiB});
  const JudgeResult fits = judge(problem, writes_file(48));
  EXPECT_EQ(letters(fits), "AC") << fits.tests[0].message;
  EXPECT_LT(fits.tests[0].memory, 32_MiB);
  EXPECT_EQ(fits.tests[0].output_size, 48_MiB);
  const JudgeResult much = judge(problem, writes_file(80));
  EXPECT_EQ(letters(much), "OLE") << much.tests[0].message;
  const JudgeResult heap = judge(problem, writes_file(1, 48));
  EXPECT_EQ(letters(heap), "MLE") << heap.tests[0].message;
  EXPECT_EQ(letters(judge(problem, writes_file(1, 200))), "MLE");
}

// The peak may have been reached before there was a file.
TEST_F(JudgingTest, MemoryThatWasGivenBackIsNotHiddenByAnOutputFile) {
  NEEDS_METERS();
  judge::Problem problem = of_files({.memory = 64_MiB, .output = 96_MiB});
  const auto hides = [](int heap, const char* file) {
    return in_c(fmt::format(R"(
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
static char block[1 << 20];
int main(void) {{
  size_t size = (size_t){0} << 20;
  volatile char *heap = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (size_t i = 0; i < size; i += 4096) heap[i] = 1;
  munmap((void *)heap, size);
  int file = open("out.txt", O_CREAT | O_WRONLY, 0644);
  {1}
  return 0;
}})",
                            heap, file));
  };
  const char* written = "for (int i = 0; i < 90; ++i) write(file, block, sizeof block);";
  EXPECT_EQ(letters(judge(problem, hides(120, written))), "MLE");
  EXPECT_EQ(letters(judge(problem, hides(120, "ftruncate(file, 90 << 20);"))), "MLE");
  const JudgeResult honest = judge(problem, hides(40, written));
  EXPECT_EQ(letters(honest), "AC") << honest.tests[0].message;
  EXPECT_GT(honest.tests[0].memory, 30_MiB);
}

TEST_F(JudgingTest, StderrIsCutAndBreaksNoOutputLimit) {
  judge::Problem problem = problem_of({{"", "7"}});
  problem.limits.output = 1_MiB;
  const judge::Submission noisy =
      in_python("import sys\nsys.stderr.write('x' * (3 << 20))\nprint(7)");
  const JudgeResult result = judge(problem, noisy);
  EXPECT_EQ(letters(result), "AC") << result.tests[0].message;
  EXPECT_LE(result.tests[0].errors.size(), 70'000U);
  problem.kind = judge::ProblemKind::Interactive;
  problem.interactor.emplace().source = in_python("import sys\nsys.exit(input() != '7')");
  const JudgeResult talk = judge(problem, noisy);
  EXPECT_EQ(letters(talk), "AC") << talk.tests[0].message;
  policy = "rbx";
  EXPECT_EQ(letters(judge(problem, noisy)), "OLE");
  problem.kind = judge::ProblemKind::Batch;
  problem.interactor.reset();
  EXPECT_EQ(letters(judge(problem, noisy)), "OLE");
}

// By user time; and the box is not the one to end it before.
TEST_F(JudgingTest, WhatTheKernelDoesIsNotUserTime) {
  NEEDS_METERS();
  policy = "noj";
  judge::Problem problem = problem_of({{"", ""}});
  problem.limits = {.cpu_time = scaled(300ms), .wall_time = scaled(20s)};
  const auto result = judge(problem, in_c(fmt::format(R"(
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>
static char block[1 << 20];
int main(void) {{
  int zero = open("/dev/zero", O_RDONLY);
  struct rusage used;
  do {{
    for (int i = 0; i < 50; ++i) read(zero, block, sizeof block);
    getrusage(RUSAGE_SELF, &used);
  }} while (used.ru_stime.tv_sec * 1000 + used.ru_stime.tv_usec / 1000 < {});
  return 0;
}})",
                                                      milliseconds(scaled(400ms)))));
  EXPECT_EQ(letters(result), "AC") << result.tests[0].message;
}

TEST_F(JudgingTest, TheFileSystemOfTheStandardLibraryWorksInAStrictBox) {
  const judge::Submission submission{.language = "cpp17", .sources = {{"", R"(
#include <filesystem>
#include <fstream>
#include <iostream>
#include <unistd.h>
namespace fs = std::filesystem;
int main() {
  std::ofstream("a") << "text";
  fs::copy_file("a", "b");
  fs::permissions("b", fs::perms::owner_read);
  fs::last_write_time("b", fs::file_time_type::clock::now());
  fs::create_hard_link("a", "c");
  fs::create_symlink("a", "d");
  fs::create_directory("e");
  fs::current_path("e");
  std::string word;
  std::ifstream("../d") >> word;
  std::cout << word << ' ' << fs::file_size("../b") << std::endl;
})"}}};
  const auto result = judge(problem_of({{"", "text 4"}}), submission);
  EXPECT_EQ(letters(result), "AC") << result.tests[0].message << result.tests[0].output;
}

}  // namespace
}  // namespace assay::test
