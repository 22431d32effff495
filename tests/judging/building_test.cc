// Archives, projects with Makefiles, graders and outputs, judged whole.
#include "judge/building.h"

#include "tests/judging/fixture.h"
#include "tests/judging/fixture_archives.h"
#include "tests/support/places.h"

namespace assay::test {
namespace {

using judge::BuildStrategy;
using judge::JudgeResult;
using judge::JudgeStatus;

const char* const kEcho = R"(#include <stdio.h>
int main(void) { int c; while ((c = getchar()) != EOF) putchar(c); return 0; }
)";

judge::Submission archive_of(const std::string& language, const std::vector<Packed>& entries,
                             const Packing& packing = {"tar", "gzip"}) {
  return {
      .id = "s", .language = language, .archive = judge::Content{.text = pack(entries, packing)}};
}

judge::Problem echo_problem(BuildStrategy build) {
  judge::Problem problem = problem_of({{"7", "7"}});
  problem.build = build;
  return problem;
}

std::string complaint_of(const JudgeResult& result) {
  EXPECT_EQ(result.letters, "CE") << result.message;
  EXPECT_EQ(result.status, JudgeStatus::Finished);
  EXPECT_EQ(letters(result), "SKIPPED");
  return result.compile ? result.compile->error : "no compile result";
}

TEST_F(JudgingTest, AnArchiveOfSourcesIsCompiledByItsLanguage) {
  const JudgeResult result =
      judge(problem_of({{"", "42"}}),
            archive_of("c",
                       {{"main.c",
                         "#include <stdio.h>\n#include \"lib/f.h\"\nint main(void) { "
                         "printf(\"%d\\n\", f()); }"},
                        {"lib/f.h", "int f(void);"},
                        {"lib/f.c", "int f(void) { return 42; }"}},
                       {"zip"}));
  EXPECT_EQ(result.letters, "AC") << result.message << result.compile->log;
}

TEST_F(JudgingTest, AnArchiveThatIsRefusedIsACompileErrorWithTheReason) {
  EXPECT_EQ(
      complaint_of(judge(problem_of({{"", ""}}),
                         archive_of("c", {{"main.c", "/etc/shadow", EntryType::SymbolicLink}}))),
      "'main.c' is a symbolic link");
  EXPECT_EQ(
      complaint_of(judge(problem_of({{"", ""}}), archive_of("c", {{"a.txt", ""}, {"b", ""}}))),
      "no source file is called 'main.c' or is C by its ending");
}

TEST_F(JudgingTest, AMakefileMakesTheProgram) {
  for (const char* language : {"c", "cpp", "make"}) {
    const JudgeResult result = judge(
        echo_problem(BuildStrategy::MakeNormal),
        archive_of(language,
                   {{"Makefile",
                     "a.out: main.c\n\t$(CC) -c main.c -o obj/main.o\n"
                     "\t./link.sh\n"},
                    {"link.sh", "#!/bin/sh\ngcc obj/main.o -o a.out\n", EntryType::File, 0755},
                    {"obj/", "", EntryType::Directory, 0755},
                    {"main.c", kEcho}}));
    EXPECT_EQ(result.letters, "AC") << result.message << result.compile->log;
    EXPECT_EQ(result.language, language);
  }
}

TEST_F(JudgingTest, SeveralSourcesAreAProjectToo) {
  const JudgeResult result =
      judge(echo_problem(BuildStrategy::MakeNormal),
            {.language = "c",
             .sources = {{"Makefile", "a.out: main.c\n\t$(CC) -o $@ $^\n"}, {"main.c", kEcho}}});
  EXPECT_EQ(result.letters, "AC") << result.message;
}

TEST_F(JudgingTest, AProjectFindsItsFilesWhenItRuns) {
  const auto result =
      judge(echo_problem(BuildStrategy::MakeNormal),
            {.language = "c",
             .sources = {{"Makefile", "a.out: main.c\n\t$(CC) -o $@ $^\n"},
                         {"data/word.txt", "hello"},
                         {"main.c",
                          "#include <stdio.h>\nint main(void) { char word[9]; FILE *f = "
                          "fopen(\"data/word.txt\", \"r\"); return !(f && fscanf(f, \"%8s\", "
                          "word) == 1 && puts(word) >= 0); }"}}});
  ASSERT_EQ(result.tests.size(), 1U);
  EXPECT_EQ(result.tests[0].output, "hello\n") << result.tests[0].message;
}

TEST_F(JudgingTest, AProjectWithoutItsMakefileOrMainFileIsACompileError) {
  EXPECT_EQ(complaint_of(judge(echo_problem(BuildStrategy::MakeNormal),
                               archive_of("c", {{"main.c", kEcho}}))),
            "there is no 'Makefile' at the root of the project");
  EXPECT_EQ(complaint_of(judge(echo_problem(BuildStrategy::MakeNormal),
                               archive_of("python3", {{"app.py", ""}}))),
            "there is no 'main.py' at the root of the project");
}

TEST_F(JudgingTest, APythonProjectRunsItsMainFile) {
  const JudgeResult result =
      judge(echo_problem(BuildStrategy::MakeNormal),
            archive_of("python3", {{"main.py", "from lib.echo import echo\necho()"},
                                   {"lib/echo.py", "def echo(): print(input())"}}));
  EXPECT_EQ(result.letters, "AC") << result.message << result.tests[0].errors;
}

TEST_F(JudgingTest, OnlyOneExecutableIsAllowedAndItIsCalledAOut) {
  const std::string only = "only one executable named a.out is allowed";
  const auto made_by = [this](const std::string& makefile) {
    return complaint_of(judge(echo_problem(BuildStrategy::MakeNormal),
                              archive_of("c", {{"Makefile", makefile}, {"main.c", kEcho}})));
  };
  EXPECT_EQ(made_by("all:\n\tgcc -o a.out main.c\n\tgcc -o other main.c\n"), only);
  EXPECT_EQ(made_by("all:\n\tgcc -o a.out main.c\n\tmkdir d; gcc -o d/other main.c\n"), only);
  EXPECT_EQ(made_by("all:\n\tgcc -o main main.c\n"), only);
  EXPECT_EQ(made_by("all:\n\techo '#!/bin/sh' > a.out; chmod +x a.out\n"), only);
  EXPECT_NE(made_by("all:\n\ttrue\n").find("did not make 'a.out'"), std::string::npos);
  EXPECT_NE(made_by("all:\n\tmkdir a.out\n").find("did not make 'a.out'"), std::string::npos);
  EXPECT_NE(made_by("all:\n\tln -s /bin/true a.out\n").find("did not make 'a.out'"),
            std::string::npos);
  EXPECT_EQ(made_by("all:\n\tfalse\n"), "the compiler exited with 2");
}

judge::Problem function_problem(std::vector<judge::SourceFile> files) {
  judge::Problem problem = problem_of({{"20", "21"}});
  problem.build = BuildStrategy::MakeFunctionOnly;
  problem.build_files = std::move(files);
  return problem;
}

const char* const kTeacher = R"(#include <stdio.h>
#include "function.h"
int main(void) { int n; scanf("%d", &n); printf("%d\n", next(n)); return 0; }
)";

TEST_F(JudgingTest, AFunctionIsMadeIntoAProgramByTheProblemsProject) {
  const judge::Problem problem = function_problem(
      {{"Makefile", "a.out: main.c function.h\n\tgcc -o a.out main.c\n"}, {"main.c", kTeacher}});
  EXPECT_EQ(judge(problem, in_c("int next(int n) { return n + 1; }")).letters, "AC");
  EXPECT_EQ(judge(problem, in_c("int next(int n) { return n; }")).letters, "WA");
  EXPECT_EQ(judge(problem, in_c("int last(int n) { return n; }")).letters, "CE");
}

TEST_F(JudgingTest, TheProblemsProjectMayBeAnArchive) {
  judge::Problem problem = function_problem({});
  problem.build_archive = judge::Content{
      .text =
          pack({{"Makefile", "a.out:\n\tgcc -o a.out main.c\n"}, {"main.c", kTeacher}}, {"zip"})};
  EXPECT_EQ(judge(problem, in_c("int next(int n) { return n + 1; }")).letters, "AC");
  problem.build_archive = judge::Content{.text = "junk"};
  const auto refused = try_judge(problem, in_c(""));
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().context.starts_with("the problem's project: this is no zip or tar"))
      << refused.error().context;
}

TEST_F(JudgingTest, AFunctionInPythonIsImportedByTheProblemsProgram) {
  const judge::Submission next = in_python("def next(n): return n + 1");
  const std::string main = "from student_impl import next\nprint(next(int(input())))\n";
  EXPECT_EQ(judge(function_problem({{"main.py", main}}), next).letters, "AC");
  const JudgeResult made = judge(
      function_problem({{"Makefile", "main.py: teacher.py\n\tcp $< $@\n"}, {"teacher.py", main}}),
      next);
  EXPECT_EQ(made.letters, "AC") << made.message;
}

TEST_F(JudgingTest, AFunctionMayBePackedButIsNoProject) {
  const judge::Problem problem =
      function_problem({{"main.py", "from student_impl import next\nprint(next(int(input())))\n"}});
  const test::Packed next{.name = "main.py", .content = "def next(n): return n + 1"};
  EXPECT_EQ(judge(problem, archive_of("python3", {next})).letters, "AC");
  const JudgeResult refused = judge(problem, archive_of("python3", {next, {.name = "other.py"}}));
  EXPECT_EQ(refused.letters, "CE");
  EXPECT_EQ(refused.message,
            "this problem takes a single source file with the function, not a project");
}

judge::Problem outputs_problem() {
  judge::Problem problem = problem_of({{"1", "one"}, {"2", "two"}, {"3", "three"}});
  problem.kind = judge::ProblemKind::OutputOnly;
  return problem;
}

TEST_F(JudgingTest, OutputsAreCheckedAndScoredAndNothingRuns) {
  const JudgeResult result =
      judge(outputs_problem(), {.sources = {{"1.out", "one\n"}, {"2.out", "zwei"}}});
  EXPECT_EQ(letters(result), "AC WA WA");
  EXPECT_EQ(result.letters, "WA");
  EXPECT_NEAR(result.score, 100.0 / 3, 1e-6);
  EXPECT_FALSE(result.compile);
  EXPECT_EQ(result.language, "");
  EXPECT_EQ(result.tests[2].message, "there is no output '3.out'");
  for (const judge::TestResult& test : result.tests) {
    EXPECT_FALSE(test.facts);
    EXPECT_FALSE(test.exit_code);
  }
  EXPECT_EQ(result.tests[1].output, "zwei");
  EXPECT_EQ(engine().boxes().made, 0U);
}

TEST_F(JudgingTest, OutputsMayComeInAnArchiveAndMeetAProgramThatChecks) {
  judge::Problem problem = outputs_problem();
  problem.checker = judge::CheckerProgram{
      .source = in_python("import sys\nwords = [open(n).read().split() for n in sys.argv[1:4]]\n"
                          "sys.exit(0 if words[1] == words[2] else 1)")};
  const JudgeResult result =
      judge(problem, archive_of("", {{"1", "one"}, {"x/2.txt", "two"}, {"output_3.txt", "three"}}));
  EXPECT_EQ(letters(result), "AC AC AC") << result.tests[0].message;
  const JudgeResult refused = judge(problem, archive_of("", {{"1", ""}, {"1.out", ""}}));
  EXPECT_EQ(refused.letters, "CE");
  EXPECT_EQ(refused.message, "there are two outputs for test '1'");
}

TEST_F(JudgingTest, WithoutAnUnpackerAnArchiveIsOurFailure) {
  const auto rules = verdict::load_policy(tried_data() + "/policies", policy);
  const judge::Judge without(engine(), languages(), profiles(), *rules);
  const auto result =
      without.judge(outputs_problem(), archive_of("", {{"1", ""}}), {}, {}, cancellation());
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, JudgeStatus::Failed);
  EXPECT_EQ(result->letters, "SE");
}

}  // namespace
}  // namespace assay::test
