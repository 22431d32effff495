// meta.json, read without any file beside it.
#include <gtest/gtest.h>

#include "package/noj_meta.h"

namespace assay::package {
namespace {

using std::chrono_literals::operator""ms;

constexpr const char* kTask =
    R"("tasks":[{"taskScore":100,"memoryLimit":65536,"timeLimit":2000,"caseCount":2}])";

std::string meta(const std::string& more) {
  return "{" + std::string(kTask) + (more.empty() ? "" : "," + more) + "}";
}

NojMeta parsed(const std::string& more) {
  auto result = parse_noj_meta(meta(more));
  EXPECT_TRUE(result) << more << ": " << describe(result.error());
  return result.value_or(NojMeta{});
}

TEST(NojMeta, TheLeastIsAListOfTasks) {
  const NojMeta least = parsed("");
  ASSERT_EQ(least.tasks.size(), 1U);
  EXPECT_EQ(least.tasks[0].score, 100U);
  EXPECT_EQ(least.tasks[0].memory, 64_MiB);
  EXPECT_EQ(least.tasks[0].time, 2000ms);
  EXPECT_EQ(least.tasks[0].cases, 2U);
  EXPECT_EQ(least.mode, NojMode::General);
  EXPECT_EQ(least.build, NojBuild::Compile);
  EXPECT_FALSE(least.zip || least.teacher_first || least.custom_checker || least.scoring_script ||
               least.allow_read || least.allow_write);
}

TEST(NojMeta, ModesAreNamesOrNumbers) {
  const std::string teacher = R"("assetPaths":{"teacher_file":"t","teacherLang":"c"},)";
  for (const char* mode : {"\"interactive\"", "2", "\"2\""}) {
    const NojMeta read = parsed(teacher + "\"executionMode\":" + mode);
    EXPECT_EQ(read.mode, NojMode::Interactive);
    EXPECT_EQ(read.build, NojBuild::MakeInteractive);
  }
  for (const char* mode : {"\"functionOnly\"", "1"})
    EXPECT_EQ(parsed(std::string("\"executionMode\":") + mode).build, NojBuild::MakeFunctionOnly);
  for (const char* mode : {"\"general\"", "0"})
    EXPECT_EQ(parsed(std::string("\"executionMode\":") + mode).mode, NojMode::General);
}

TEST(NojMeta, BuildStrategiesAreNamesOrNumbers) {
  const char* names[] = {"compile", "makeNormal", "makeFunctionOnly", "makeInteractive"};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(parsed("\"buildStrategy\":" + std::to_string(i)).build, static_cast<NojBuild>(i));
    EXPECT_EQ(parsed(std::string("\"buildStrategy\":\"") + names[i] + "\"").build,
              static_cast<NojBuild>(i));
  }
}

TEST(NojMeta, AnArchiveIsBuiltByMake) {
  EXPECT_EQ(parsed(R"("acceptedFormat":"zip")").build, NojBuild::MakeNormal);
  EXPECT_TRUE(parsed(R"("submissionMode":1)").zip);
  EXPECT_FALSE(parsed(R"("submissionMode":1,"acceptedFormat":"code")").zip);
}

TEST(NojMeta, TheTeacherIsInALanguageThatItsAssetsName) {
  for (const auto& [word, language] :
       {std::pair{"c", NojLanguage::C}, {"cpp", NojLanguage::Cpp}, {"py", NojLanguage::Python}}) {
    const NojMeta read =
        parsed(std::string(R"("executionMode":2,"teacherFirst":true,"assetPaths":{)") +
               R"("teacher_file":"a/b","teacherLang":")" + word + "\"}");
    EXPECT_EQ(read.teacher_language, language);
    EXPECT_TRUE(read.teacher_first);
  }
}

TEST(NojMeta, ACheckerHasNoSayInInteractiveProblems) {
  EXPECT_TRUE(parsed(R"("customChecker":true)").custom_checker);
  EXPECT_FALSE(parsed(R"("customChecker":true,"executionMode":2,
      "assetPaths":{"teacher_file":"t","teacherLang":"c"})")
                   .custom_checker);
}

TEST(NojMeta, AScoringScriptIsAFlagOrAnObject) {
  EXPECT_TRUE(parsed(R"("scoringScript":true)").scoring_script);
  EXPECT_TRUE(parsed(R"("scoringScript":{"custom":true})").scoring_script);
  EXPECT_FALSE(parsed(R"("scoringScript":{"custom":false})").scoring_script);
}

TEST(NojMeta, UnknownKeysAndEmptyOnesAreIgnored) {
  const NojMeta read = parsed(
      R"("something":[1],"sidecars":[],"networkAccessRestriction":null,"resourceData":false,
         "aiChecker":{"enabled":false},"artifactCollection":["zip"],"language":1)");
  EXPECT_EQ(read.language, NojLanguage::Cpp);
}

TEST(NojMeta, EveryMistakeIsOneSentenceThatNamesIt) {
  struct Case {
    std::string text;
    const char* says;
  };
  const std::string task = R"({"taskScore":50,"memoryLimit":1,"timeLimit":1,"caseCount":1})";
  for (const Case& each : {
           Case{"", "no JSON"},
           Case{"{", "no JSON"},
           Case{"[]", "no JSON object"},
           Case{"{}", "'tasks' must be a list"},
           Case{R"({"tasks":[]})", "'tasks' must be a list of at least one"},
           Case{R"({"tasks":[3]})", "task 0: 'tasks' must be a list of objects"},
           Case{"{\"tasks\":[" + task + "]}", "add up to 50"},
           Case{"{\"tasks\":[" + task + "," + task + "," + task + "]}", "add up to 150"},
           Case{R"({"tasks":[{"taskScore":100,"memoryLimit":1,"timeLimit":1}]})",
                "task 0: 'caseCount' is missing"},
           Case{R"({"tasks":[{"taskScore":100,"memoryLimit":1,"timeLimit":0,"caseCount":1}]})",
                "'timeLimit' must be a whole number"},
           Case{R"({"tasks":[{"taskScore":100,"memoryLimit":"1","timeLimit":1,"caseCount":1}]})",
                "'memoryLimit' must be a whole number"},
           Case{R"({"tasks":[{"taskScore":100,"memoryLimit":1,"timeLimit":1,"caseCount":101}]})",
                "'caseCount' must be a whole number"},
           Case{meta(R"("executionMode":"duel")"), "'executionMode' must be one of general"},
           Case{meta(R"("executionMode":3)"), "'executionMode' must be one of"},
           Case{meta(R"("buildStrategy":"cmake")"), "'buildStrategy' must be one of compile"},
           Case{meta(R"("buildStrategy":-1)"), "'buildStrategy' must be one of"},
           Case{meta(R"("acceptedFormat":"rar")"), "'acceptedFormat' must be one of code, zip"},
           Case{meta(R"("language":3)"), "'language' must be a whole number"},
           Case{meta(R"("assetPaths":[])"), "'assetPaths' must be an object"},
           Case{meta(R"("assetPaths":{"teacher_file":1})"), "'assetPaths' must be an object"},
           Case{meta(R"("executionMode":2)"), "has no 'teacherLang'"},
           Case{meta(R"("executionMode":2,"assetPaths":{"teacherLang":"c"})"),
                "has no 'teacher_file'"},
           Case{meta(R"("executionMode":2,"assetPaths":{"teacher_file":"t","teacherLang":"rust"})"),
                "'teacherLang' must be c, cpp or py, not \"rust\""},
           Case{meta(R"("executionMode":1,"acceptedFormat":"zip")"), "functionOnly takes a file"},
           Case{meta(R"("allowWrite":"yes")"), "'allowWrite' must be true or false"},
           Case{meta(R"("sidecars":[{"image":"x"}])"), "'sidecars' is not offered"},
           Case{meta(R"("resourceData":1)"), "'resourceData' must be true or false"},
           Case{meta(R"("resourceDataTeacher":true)"), "'resourceDataTeacher' needs a teacher"},
           Case{meta(R"("aiChecker":{"enabled":true})"), "'aiChecker' is not offered"},
       }) {
    const auto read = parse_noj_meta(each.text);
    ASSERT_FALSE(read) << each.text;
    EXPECT_NE(read.error().context.find(each.says), std::string::npos) << read.error().context;
    EXPECT_EQ(read.error().context.find('\n'), std::string::npos);
    EXPECT_EQ(read.error().fault, Fault::InvalidRequest);
  }
}

}  // namespace
}  // namespace assay::package
