#include "judge/build_order.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace assay::judge {
namespace {

using Names = std::vector<std::string>;

const LanguageSet& languages() {
  static const LanguageSet set = load_languages(ASSAY_SOURCE_DIR "/languages").value();
  return set;
}

Result<CompileOrder> order(const Problem& problem, const std::string& language,
                           std::vector<SourceFile> files, std::vector<SourceFile> theirs = {}) {
  return build_order(languages(), problem, {.language = language}, {.files = std::move(files)},
                     {.files = std::move(theirs)});
}

std::string complaint(const Problem& problem, const std::string& language,
                      std::vector<SourceFile> files, std::vector<SourceFile> theirs = {}) {
  const auto made = order(problem, language, std::move(files), std::move(theirs));
  return made ? "it is built" : made.error().context;
}

Names names_of(const CompileOrder& order) {
  Names names;
  for (const ProgramFile& file : order.files)
    names.push_back(file.name);
  std::ranges::sort(names);
  return names;
}

std::string content_of(const CompileOrder& order, const std::string& name) {
  return std::ranges::find(order.files, name, &ProgramFile::name)->content;
}

Problem make_normal() {
  return {.build = BuildStrategy::MakeNormal};
}
Problem function_only() {
  return {.build = BuildStrategy::MakeFunctionOnly};
}

TEST(BuildOrder, WithoutAnyWordOfTheProblemTheLanguagesOwnCommandsCompile) {
  const auto made = order({}, "cpp", {{"whatever.cpp", "x"}});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->language->id, "cpp");
  EXPECT_FALSE(made->made);
  EXPECT_EQ(names_of(*made), Names{"main.cpp"});
}

TEST(BuildOrder, AProblemGrantsFlagsThatNoLanguageAllows) {
  const Submission submission{.language = "cpp", .extra_flags = {"-Ihere", "-O2"}};
  const auto build = [&](const Problem& problem) {
    return build_order(languages(), problem, submission, {.files = {{"a.cpp", "x"}}}, {});
  };
  EXPECT_FALSE(build({}));
  const auto made = build({.granted_flags = {"-I*"}});
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_EQ(made->flags, (Names{"-Ihere", "-O2"}));
  EXPECT_FALSE(build({.granted_flags = {"-L*"}}));
}

TEST(BuildOrder, AMakeProjectIsMadeByMakeAndRunAsItsLanguageIs) {
  const auto made = order(make_normal(), "cpp20", {{"Makefile", ""}, {"src/a.cpp", "", true}});
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_EQ(made->language->id, "cpp20");
  EXPECT_EQ(made->language->profile(Task::Run), "native");
  const auto steps = compile_steps(*made->language, {.sources = made->sources});
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0].argv[0], "sh");
  EXPECT_EQ(steps[0].argv[4], "make");
  EXPECT_EQ(steps[0].outputs, Names{"a.out"});
  EXPECT_EQ(files_to_run(*made->language, made->sources),
            (Names{"a.out", "Makefile", "src/a.cpp"}));
  EXPECT_EQ(run_step(*made->language, made->sources, {}).argv, Names{"./a.out"});
  EXPECT_TRUE(made->files[1].executable);
}

TEST(BuildOrder, AMakeProjectNeedsItsMakefileAtTheRoot) {
  const std::string why = "there is no 'Makefile' at the root of the project";
  EXPECT_EQ(complaint(make_normal(), "c", {{"main.c", ""}}), why);
  EXPECT_EQ(complaint(make_normal(), "c", {{"project/Makefile", ""}}), why);
  EXPECT_EQ(complaint(make_normal(), "make", {{"makefile.txt", ""}}), why);
  EXPECT_EQ(complaint(make_normal(), "java", {{"Makefile", ""}}),
            "make builds no projects in Java here");
}

TEST(BuildOrder, AnInterpretedProjectNeedsItsMainFileInsteadAndIsNotMade) {
  EXPECT_EQ(complaint(make_normal(), "python3", {{"app.py", ""}, {"Makefile", ""}}),
            "there is no 'main.py' at the root of the project");
  const auto made = order(make_normal(), "python3", {{"lib/a.py", ""}, {"main.py", ""}});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->sources.main, "main.py");
  EXPECT_EQ(files_to_run(*made->language, made->sources), (Names{"lib/a.py", "main.py"}));
}

TEST(BuildOrder, ProjectsThatAreNoArchiveHaveTheirNamesChecked) {
  EXPECT_EQ(complaint(make_normal(), "c", {{"Makefile", ""}, {"../x", ""}}),
            "source file name '../x' is not a plain relative path");
  EXPECT_EQ(complaint(make_normal(), "c", {{"Makefile", ""}, {"Makefile", ""}}),
            "there are two source files 'Makefile'");
}

TEST(BuildOrder, AFunctionBecomesAHeaderInTheProblemsProject) {
  const auto made = order(function_only(), "c", {{"main.c", "student"}},
                          {{"Makefile", "teacher"}, {"main.c", "teacher"}});
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_EQ(names_of(*made), (Names{"Makefile", "function.h", "main.c"}));
  EXPECT_EQ(content_of(*made, "function.h"), "student");
  EXPECT_EQ(content_of(*made, "main.c"), "teacher");
  EXPECT_EQ(files_to_run(*made->language, made->sources), Names{"a.out"});  // nothing to be read
}

TEST(BuildOrder, TheProblemsFilesWinOverTheFunction) {
  const auto made = order(function_only(), "cpp", {{"", "student"}},
                          {{"Makefile", ""}, {"function.h", "theirs"}});
  ASSERT_TRUE(made);
  EXPECT_EQ(names_of(*made), (Names{"Makefile", "function.h"}));
  EXPECT_EQ(content_of(*made, "function.h"), "theirs");
}

TEST(BuildOrder, AFunctionInPythonIsAModuleOfTheProblemsProgram) {
  const auto plain = order(function_only(), "python3", {{"", "student"}}, {{"main.py", ""}});
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->sources.main, "main.py");
  EXPECT_EQ(names_of(*plain), (Names{"main.py", "student_impl.py"}));
  const auto made = order(function_only(), "python3", {{"", "student"}}, {{"Makefile", ""}});
  ASSERT_TRUE(made);
  EXPECT_EQ(files_to_run(*made->language, made->sources),
            (Names{"Makefile", "student_impl.py", "main.py"}));
}

TEST(BuildOrder, AProjectOfTheProblemThatCannotBeBuiltIsRefused) {
  EXPECT_EQ(complaint(function_only(), "c", {{"", ""}}, {{"main.c", ""}}),
            "the problem's project has no 'Makefile'");
  EXPECT_EQ(complaint(function_only(), "python3", {{"", ""}}, {{"lib.py", ""}}),
            "the problem's project has no 'main.py'");
  EXPECT_EQ(complaint(function_only(), "java", {{"", ""}}, {{"Makefile", ""}}),
            "function-only projects are in C, C++ or Python, not in Java");
}

Problem with_grader() {
  return {.graders = {{"cpp", {{"grader.cpp", "g"}, {"f.h", ""}}, "f.cpp"},
                      {"python3", {{"grader.py", "g"}}, "f.py"}}};
}

TEST(BuildOrder, AGraderIsCompiledTogetherWithTheSubmission) {
  const auto made = order(with_grader(), "cpp20", {{"mine.cpp", "student"}});
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_EQ(made->language->id, "cpp20");
  EXPECT_EQ(made->sources.compiled, (Names{"grader.cpp", "f.cpp"}));
  EXPECT_EQ(content_of(*made, "f.cpp"), "student");
}

TEST(BuildOrder, OfAnInterpretedLanguageTheGraderIsTheProgram) {
  const auto made = order(with_grader(), "python3", {{"main.py", "student"}});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->sources.main, "grader.py");
  EXPECT_EQ(names_of(*made), (Names{"f.py", "grader.py"}));
  const Problem wrong{.graders = {{"python3", {{"data.txt", ""}}, "f.py"}}};
  EXPECT_EQ(complaint(wrong, "python3", {{"", ""}}), "the problem's grader has no main file");
}

TEST(BuildOrder, ALanguageWithoutAGraderIsRefusedByName) {
  EXPECT_EQ(complaint(with_grader(), "java", {{"", ""}}),
            "this problem takes C++, Python 3, not Java");
}

TEST(BuildOrder, WhatIsHandedInFitsTheProblem) {
  const auto why = [](const Problem& problem, const Submission& submission) {
    const Status checked = check_handed_in(problem, submission);
    return checked ? std::string() : checked.error().context;
  };
  const Submission archive{.archive = Content{.text = "x"}};
  const Submission one{.sources = {{"a", ""}}};
  const Submission two{.sources = {{"a", ""}, {"b", ""}}};
  const std::string single =
      "this problem takes a single source file with the function, not a project";
  EXPECT_EQ(why({}, {}), "there is no source");
  EXPECT_EQ(why({}, {.sources = {{"a", ""}}, .archive = Content{}}),
            "there are sources and an archive: only one of them can be judged");
  EXPECT_EQ(why(make_normal(), archive), "");
  EXPECT_EQ(why(function_only(), archive), "");  // it may have one file in it
  EXPECT_EQ(why(function_only(), two), single);
  EXPECT_EQ(why(function_only(), one), "");
  EXPECT_EQ(why(with_grader(), two), single);
}

TEST(BuildStrategies, HaveNamesAndNumbers) {
  EXPECT_EQ(build_strategy_named("compile"), BuildStrategy::Compile);
  EXPECT_EQ(build_strategy_named("0"), BuildStrategy::Compile);
  EXPECT_EQ(build_strategy_named("makeNormal"), BuildStrategy::MakeNormal);
  EXPECT_EQ(build_strategy_named("1"), BuildStrategy::MakeNormal);
  EXPECT_EQ(build_strategy_named("makeFunctionOnly"), BuildStrategy::MakeFunctionOnly);
  EXPECT_EQ(build_strategy_named("2"), BuildStrategy::MakeFunctionOnly);
  EXPECT_EQ(build_strategy_named("makeInteractive"), BuildStrategy::MakeInteractive);
  EXPECT_EQ(build_strategy_named("3"), BuildStrategy::MakeInteractive);
  for (const char* wrong : {"", "4", "01", "make", "makenormal", "-1"})
    EXPECT_EQ(build_strategy_named(wrong), std::nullopt) << wrong;
}

}  // namespace
}  // namespace assay::judge
