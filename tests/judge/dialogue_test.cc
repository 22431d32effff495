// What was said, as files.
#include "judge/dialogue.h"

#include <gtest/gtest.h>

namespace assay::judge {
namespace {

using namespace std::chrono_literals;

exec::Remark by(Voice voice, std::string bytes, Nanoseconds at = {}) {
  return {.voice = number_of(voice), .at = at, .bytes = std::move(bytes)};
}
exec::Remark interactor(std::string bytes) {
  return by(Voice::Interactor, std::move(bytes));
}
exec::Remark solution(std::string bytes) {
  return by(Voice::Solution, std::move(bytes));
}

const exec::Dialogue kSample{.remarks = {solution("3\nhello\n"), interactor("world\n"),
                                         solution("test\n"), interactor("echo_test\n"),
                                         solution("goodbye\n"), interactor("echo_goodbye\n")}};

TEST(Dialogue, OfTheSamplePairIsTheFileThatRbxWrites) {
  EXPECT_EQ(as_pio(kSample),
            "<\n>\n>3\n>hello\n<world\n>test\n<echo_test\n>goodbye\n<echo_goodbye\n");
}

TEST(Dialogue, AsInteractionHasNoHeader) {
  EXPECT_EQ(as_interaction(kSample),
            ">3\n>hello\n<world\n>test\n<echo_test\n>goodbye\n<echo_goodbye\n");
}

TEST(Dialogue, AsPinAndPoutIsRaw) {
  EXPECT_EQ(as_pin(kSample), "world\necho_test\necho_goodbye\n");
  EXPECT_EQ(as_pout(kSample), "3\nhello\ntest\ngoodbye\n");
}

TEST(Dialogue, MarksWhatTheSolutionSaysOnStderr) {
  const exec::Dialogue dialogue{
      .remarks = {solution("1\n"), by(Voice::Errors, "thinking\n"), interactor("2\n")}};
  EXPECT_EQ(as_interaction(dialogue), ">1\n!thinking\n<2\n");
  EXPECT_EQ(as_pout(dialogue), "1\n");
}

TEST(Dialogue, OfSeveralProcessesSaysWhoSpokeOrHeard) {
  const exec::Dialogue dialogue{
      .remarks = {{.voice = number_of(Voice::Solution, 1), .bytes = "1"},
                  {.voice = number_of(Voice::Solution, 0), .bytes = "0\n"},
                  {.voice = number_of(Voice::Solution, 1), .bytes = "!\n"},
                  {.voice = number_of(Voice::Interactor, 1), .bytes = "to one\n"},
                  {.voice = number_of(Voice::Errors, 0), .bytes = "hm"}}};
  EXPECT_EQ(as_interaction(dialogue), "0>0\n1>1!\n1<to one\n0!hm\n");
  EXPECT_EQ(as_pin(dialogue), "to one\n");
  const std::vector<SpokenLine> lines = lines_of(dialogue);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[1].process, 1U);
  EXPECT_EQ(lines[1].voice, Voice::Solution);
}

TEST(Dialogue, HasALineWhereItWasCompleteAndTheTimeOfItsBeginning) {
  const exec::Dialogue dialogue{.remarks = {by(Voice::Solution, "4", 1ms),
                                            by(Voice::Interactor, "why\n", 2ms),
                                            by(Voice::Solution, "2\n", 3ms)}};
  EXPECT_EQ(lines_of(dialogue), (std::vector<SpokenLine>{{Voice::Interactor, 2ms, "why"},
                                                         {Voice::Solution, 1ms, "42"}}));
}

TEST(Dialogue, KeepsABlankLineAsABareMark) {
  EXPECT_EQ(as_interaction({.remarks = {solution("\n\n"), interactor("\n")}}), ">\n>\n<\n");
}

TEST(Dialogue, WithoutNewlinesIsOneLineForEach) {
  EXPECT_EQ(as_interaction({.remarks = {solution("a"), interactor("b"), solution("c")}}),
            "<b\n>ac\n");
}

// A reader stops at the empty line.
TEST(Dialogue, NotesBehindAnEmptyLineThatThereWasMore) {
  EXPECT_EQ(as_pio({.remarks = {solution("a\n")}, .bytes = 77, .truncated = true}),
            "<\n>\n>a\n\n(truncated: 77 bytes were said in all)\n");
}

TEST(Dialogue, OfNobodyIsTheHeaderAlone) {
  EXPECT_EQ(as_pio({}), "<\n>\n");
}

}  // namespace
}  // namespace assay::judge
