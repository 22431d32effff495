// Normal-OJ's problems from their directories to verdicts: general and functionOnly.
#include <sys/stat.h>

#include <filesystem>

#include "package/load.h"
#include "package/noj_problem.h"
#include "tests/end_to_end/command.h"
#include "tests/judging/fixture.h"
#include "tests/judging/fixture_archives.h"

namespace assay::test {
namespace {

namespace fs = std::filesystem;

class NojProblem : public JudgingTest {
 protected:
  NojProblem() {
    policy = "noj";
    for (const char* name : {"testcase", "testcase/chaos"})
      fs::create_directories(directory_.path() + "/" + name);
  }

  void write(const std::string& name, const std::string& content) {
    (void)directory_.write(name, content);
  }
  // One task for each score, each with so many cases, and more keys.
  void describe_tasks(const std::vector<int>& scores, int cases, const std::string& more = "") {
    std::string tasks;
    for (const int score : scores)
      tasks += (tasks.empty() ? "" : ",") + std::string("{\"taskScore\":") + std::to_string(score) +
               ",\"memoryLimit\":65536,\"timeLimit\":1000,\"caseCount\":" + std::to_string(cases) +
               "}";
    write("meta.json", "{\"tasks\":[" + tasks + "]" + (more.empty() ? "" : "," + more) + "}");
  }
  void add_sum(const std::string& id, int a, int b) {
    write("testcase/" + id + ".in", std::to_string(a) + " " + std::to_string(b) + "\n");
    write("testcase/" + id + ".out", std::to_string(a + b) + "\n");
  }
  Result<judge::Problem> load() {
    auto problem = package::load_package(directory_.path(), languages());
    EXPECT_EQ(problem ? problem->policy : "noj", "noj");
    return problem;
  }
  judge::JudgeResult judge_it(const judge::Submission& submission) {
    const auto problem = load();
    EXPECT_TRUE(problem) << describe(problem.error());
    return problem ? judge(*problem, submission) : judge::JudgeResult{};
  }
  std::string complaint() {
    const auto problem = load();
    EXPECT_FALSE(problem);
    return problem ? "" : problem.error().context;
  }

  Scratch directory_;
};

const char* const kSum = "a,b=map(int,input().split())\nprint(a+b)\n";

TEST_F(NojProblem, ATaskIsWorthAllOrNothing) {
  describe_tasks({40, 60}, 2);
  add_sum("0000", 1, 2);
  add_sum("0001", 3, 4);
  add_sum("0100", 100, 1);
  add_sum("0101", 5, 6);
  const judge::JudgeResult right = judge_it(in_python(kSum));
  EXPECT_EQ(letters(right), "AC AC AC AC");
  EXPECT_EQ(right.score, 100);
  const judge::JudgeResult partly =
      judge_it(in_python("a,b=map(int,input().split())\nprint(a+b if a<50 else 0)\n"));
  EXPECT_EQ(letters(partly), "AC AC WA AC");
  EXPECT_EQ(partly.score, 40);
  EXPECT_EQ(partly.letters, "WA");
  EXPECT_EQ(partly.tests[2].id, "0100");
}

TEST_F(NojProblem, BlanksBeforeALineEndDoNotMatter) {
  describe_tasks({100}, 1);
  write("testcase/0000.in", "x\n");
  write("testcase/0000.out", "x\ny");
  EXPECT_EQ(judge_it(in_python("print('x  ')\nprint('y\\t')\nprint()\n")).letters, "AC");
  EXPECT_EQ(judge_it(in_python("print(' x')\nprint('y')\n")).letters, "WA");
}

TEST_F(NojProblem, WritingEndsAProgramUnlessTheProblemAllowsIt) {
  NEEDS_METERS();
  add_sum("0000", 1, 2);
  const std::string writes = std::string("open('note','w').write('x')\n") + kSum;
  const std::string writes_c =
      "#include <stdio.h>\nint main(void){FILE*f=fopen(\"note\",\"w\");int a,b;scanf(\"%d%d\",&a,"
      "&b);printf(\"%d\",a+b);return f==0;}";
  describe_tasks({100}, 1);
  EXPECT_EQ(judge_it(in_python(writes)).letters, "RE");
  EXPECT_EQ(judge_it(in_c(writes_c)).letters, "RE");
  const judge::JudgeResult stopped = judge_it(in_python(writes));
  EXPECT_TRUE(std::holds_alternative<sandbox::Forbidden>(stopped.tests.at(0).facts.value().end));
  describe_tasks({100}, 1, "\"allowWrite\":true");
  EXPECT_EQ(judge_it(in_python(writes)).letters, "AC");
  EXPECT_EQ(judge_it(in_c(writes_c)).letters, "AC");
}

TEST_F(NojProblem, StudentsAreUser1451OfGroup1450InSrc) {
  describe_tasks({100}, 1);
  write("testcase/0000.in", "");
  write("testcase/0000.out", "1451 1450 /src True");
  EXPECT_EQ(judge_it(in_python("import os\nprint(os.getuid(),os.getgid(),os.getcwd(),"
                               "os.path.samefile('/workspace/src','/src'))\n"))
                .letters,
            "AC");
}

TEST_F(NojProblem, ChaosIsPutBesideTheSource) {
  describe_tasks({100}, 1);
  add_sum("0000", 20, 22);
  write("testcase/chaos/add.h", "static int add(int a, int b) { return a + b; }\n");
  EXPECT_EQ(judge_it(in_c("#include <stdio.h>\n#include \"add.h\"\nint main(void){int a,b;"
                          "scanf(\"%d%d\",&a,&b);printf(\"%d\",add(a,b));}"))
                .letters,
            "AC");
  fs::remove_all(directory_.path() + "/testcase/chaos");
  write("testcase/chaos", "a file");
  EXPECT_NE(complaint().find("'testcase/chaos' must be a directory"), std::string::npos);
}

TEST_F(NojProblem, ACheckerOfItsOwnSaysStatusAndMessage) {
  describe_tasks({100}, 1,
                 R"("customChecker":true,"assetPaths":{"checker":"problem/7/checker.py"})");
  add_sum("0000", 1, 2);
  EXPECT_NE(complaint().find("asset 'checker': "), std::string::npos) << complaint();
  write("checker.py",
        "import sys\n_,out,_=sys.argv[1:]\nn=open(out).read().strip()\n"
        "print('STATUS: '+('AC' if n=='7' else 'WA'))\nprint('MESSAGE: heard '+n)\n");
  EXPECT_EQ(judge_it(in_python("print(7)\n")).letters, "AC");
  const judge::JudgeResult wrong = judge_it(in_python("print(3)\n"));
  EXPECT_EQ(wrong.letters, "WA");
  EXPECT_EQ(wrong.tests.at(0).message, "heard 3");
  write("checker.py", "import sys\nsys.exit(3)\n");
  EXPECT_EQ(judge_it(in_python("print(7)\n")).letters, "JE");
}

TEST_F(NojProblem, ATeachersProgramMayHaveAnyName) {  // C-35
  for (const std::string name : {"Teacher_main", "teacher_main", "main.c"}) {
    describe_tasks({100}, 1,
                   R"("executionMode":"interactive","assetPaths":{"teacher_file":"problem/7/)" +
                       name + R"(","teacherLang":"c"})");
    add_sum("0000", 1, 2);
    write(name,
          "#include <stdio.h>\nint main(void){int n=0;scanf(\"%d\",&n);"
          "FILE*f=fopen(\"Check_Result\",\"w\");"
          "fprintf(f,\"STATUS: %s\\nMESSAGE: heard %d\\n\",n==7?\"AC\":\"WA\",n);fclose(f);}");
    const judge::JudgeResult judged = judge_it(in_python("print(7)\n"));
    EXPECT_EQ(judged.letters, "AC") << name << ": " << judged.message;
    fs::remove(directory_.path() + "/" + name);
  }
}

TEST_F(NojProblem, AScoringScriptHasTheLastWord) {
  describe_tasks({100}, 1, R"("scoringScript":{"custom":true})");
  add_sum("0000", 1, 2);
  EXPECT_NE(complaint().find("asset 'scoring_script': "), std::string::npos);
  write("score.py",
        "import json,sys\nd=json.load(sys.stdin)\n"
        "print(json.dumps({'score':d['totalScore']//2,'message':'half'}))\n");
  EXPECT_EQ(judge_it(in_python(kSum)).score, 50);
  write("score.py", "print('{')\n");
  EXPECT_EQ(judge_it(in_python(kSum)).letters, "JE");
}

TEST_F(NojProblem, EveryMissingFileIsOneSentence) {
  EXPECT_NE(package::load_package(directory_.path(), languages())
                .error()
                .context.find("has neither a problem.toml nor a meta.json"),
            std::string::npos);
  write("meta.json", "not json");
  EXPECT_NE(complaint().find("meta.json: it is no JSON"), std::string::npos);
  describe_tasks({100}, 2);
  add_sum("0000", 1, 2);
  EXPECT_NE(complaint().find("testcase/0001.in"), std::string::npos);
  describe_tasks({100}, 1, "\"executionMode\":\"functionOnly\"");
  EXPECT_NE(complaint().find("asset 'makefile': "), std::string::npos);
}

TEST_F(NojProblem, ResourcesAreBesideTheProgramOfTheirCase) {
  describe_tasks({100}, 2, R"("resourceData":true)");
  write("testcase/0000.in", "");
  write("testcase/0000.out", "main.py sub table.txt\nfirst within\n");
  write("testcase/0001.in", "");
  write("testcase/0001.out", "main.py table.txt\nsecond\n");
  const std::string show =
      "import os\nprint(*sorted(os.listdir('.')))\nprint(open('table.txt').read(), end='')\n"
      "if os.path.exists('sub'): print('', open('sub/more').read(), end='')\nprint()\n";
  write("resource_data.zip", pack({{.name = "0000_table.txt", .content = "first"},
                                   {.name = "sub/0000_more", .content = "within"},
                                   {.name = "0001_table.txt", .content = "second"},
                                   {.name = "readme", .content = "of nobody"}},
                                  {.format = "zip"}));
  const judge::JudgeResult result = judge_it(in_python(show));
  EXPECT_EQ(letters(result), "AC AC") << result.tests.at(0).output << result.tests.at(0).errors;
  // They are the problem's: a program cannot change them where it may not write.
  EXPECT_EQ(letters(judge_it(in_python("open('table.txt', 'w')"))), "RE RE");
}

TEST_F(NojProblem, ResourcesThatCannotBeAreTheProblemsFault) {
  describe_tasks({100}, 1, R"("resourceData":true)");
  add_sum("0000", 1, 2);
  EXPECT_NE(complaint().find("asset 'resource_data'"), std::string::npos);
  const auto why = [&](const std::vector<Packed>& files) {
    write("resource_data.zip", pack(files, {.format = "zip"}));
    const auto problem = load();
    EXPECT_TRUE(problem) << describe(problem.error());
    const auto result = try_judge(*problem, in_python(kSum));
    return result ? result->letters + " " + result->message : result.error().context;
  };
  EXPECT_EQ(why({{.name = "0000_main.py", .content = "print(3)"}}),
            "the problem's file 'main.py' is called like the program");
  EXPECT_EQ(why({{.name = "0000_.."}}),
            "the problem's resources: '0000_..' has no name that a file can have");
  EXPECT_EQ(why({{.name = "0000_"}}),
            "the problem's resources: '0000_' has no name that a file can have");
  EXPECT_TRUE(why({{.name = "../0000_x"}}).starts_with("the problem's resources: "));
  EXPECT_EQ(why({{.name = "0001_main.py"}}), "AC ");  // of no case
}

}  // namespace
}  // namespace assay::test
