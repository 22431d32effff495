#include "judge/outputs.h"

#include <gtest/gtest.h>

namespace assay::judge {
namespace {

const Problem kProblem{.kind = ProblemKind::OutputOnly,
                       .tests = {{.id = "1"}, {.id = "2"}, {.id = "a.b"}}};

TEST(Outputs, BelongToTheTestThatTheyAreCalledAfter) {
  const auto outputs =
      outputs_of(kProblem, {{"2.out", "two"}, {"deep/down/1", "one"}, {"a.b", "c"}});
  ASSERT_TRUE(outputs);
  EXPECT_EQ(*outputs, (Outputs{"one", "two", "c"}));
}

TEST(Outputs, MayBeCalledAsOtherContestsDo) {
  const auto outputs = outputs_of(kProblem, {{"output_1.txt", "one"}, {"a.b.ans", "c"}});
  ASSERT_TRUE(outputs);
  EXPECT_EQ(*outputs, (Outputs{"one", std::nullopt, "c"}));
}

TEST(Outputs, OtherFilesAreLeftAside) {
  const auto outputs = outputs_of(kProblem, {{"notes.md", ""}, {"1.in", ""}, {"11.out", ""}});
  ASSERT_TRUE(outputs);
  EXPECT_EQ(*outputs, Outputs(3));
}

// The first of the tests whose name it may be, whichever of the ways to name it that is.
TEST(Outputs, OneThatSuitsTwoTestsIsTheFirstOnes) {
  const Problem problem{.kind = ProblemKind::OutputOnly,
                        .tests = {{.id = "output_1"}, {.id = "1"}, {.id = "output_1.txt"}}};
  EXPECT_EQ(*outputs_of(problem, {{"output_1.txt", "x"}}),
            (Outputs{"x", std::nullopt, std::nullopt}));
}

TEST(Outputs, TwoForOneTestAreRefused) {
  EXPECT_EQ(outputs_of(kProblem, {{"1.out", ""}, {"x/1.txt", ""}}).error().context,
            "there are two outputs for test '1'");
}

TEST(Outputs, ANamelessOneIsThatOfTheOnlyTest) {
  const Problem one{.kind = ProblemKind::OutputOnly, .tests = {{.id = "1"}}};
  EXPECT_EQ(*outputs_of(one, {{"", "x"}}), Outputs{"x"});
  EXPECT_EQ(outputs_of(kProblem, {{"", "x"}}).error().context,
            "an output needs the name of its test when the problem has several");
}

}  // namespace
}  // namespace assay::judge
