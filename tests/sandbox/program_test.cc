// A program that is run from its descriptor and is in no directory of the box.
#include "os/file.h"
#include "tests/support/box_test.h"

namespace assay::test {
namespace {

using sandbox::BoxMode;
using sandbox::Exited;
using sandbox::NotStarted;

std::string guest(const std::string& name) {
  return os::read_whole(guest_path(name)).value();
}

class ProgramItself : public BoxTest {
 protected:
  Outcome run_from(const std::string& program, const Job& job) {
    Prepared prepared(job);
    prepared.spec.program = program;
    const auto facts = engine().run(prepared.spec);
    EXPECT_TRUE(facts) << describe(facts.error());
    if (facts) prepared.finish(*facts);
    return std::move(prepared.outcome);
  }
};

TEST_F(ProgramItself, IsNotAmongTheFiles) {
  NEEDS_METERS();  // a plain user's box may have a single id
  const std::string program = guest("mark_own_executable");
  const Outcome outcome = run_from(program, {.arguments = {"./guest", "more"}});
  EXPECT_TRUE(ended_as(outcome, Exited{1})) << outcome;
  EXPECT_TRUE(outcome.output.starts_with("called ./guest, beside it nothing\n")) << outcome;
}

// The memory is another one for each run, and so are the files of the box; those of the host are
// not. Nobody may do anything to them by which the next could tell.
TEST_F(ProgramItself, AndFilesOfTheHostCannotBeMarkedForTheNextRun) {
  NEEDS_METERS();
  const std::string program = guest("mark_own_executable");
  for (const char* profile : {"default", "native", "python"}) {
    const Outcome first = run_from(program, {.arguments = {"./guest"}, .profile = profile});
    EXPECT_TRUE(ended_as(first, Exited{0})) << profile << first;
    EXPECT_TRUE(first.output.contains("bytes 8..16 untouched\n")) << first;
    EXPECT_TRUE(first.output.contains("huge pages: EINVAL\n")) << first;
    EXPECT_TRUE(first.output.contains("hint: EINVAL\n")) << first;
    EXPECT_FALSE(first.output.contains(": done")) << first;
    // Which locks nothing: Attack30Uncounted.
    EXPECT_TRUE(first.output.contains("record lock set\n")) << first;
    EXPECT_EQ(run_from(program, {.arguments = {"./guest"}, .profile = profile}).output,
              first.output);
  }
}

// There it would be the program's own.
TEST_F(ProgramItself, IsAFileWhereThereIsNoIsolation) {
  const std::string program = guest("mark_own_executable");
  for (int round = 0; round < 2; ++round) {
    const Outcome outcome = run_from(program, {.arguments = {"./guest"}, .profile = "none"});
    EXPECT_EQ(outcome.facts.box, BoxMode::None);
    EXPECT_TRUE(outcome.output.starts_with("called ./guest, beside it a file\n")) << outcome;
    EXPECT_TRUE(outcome.output.contains("bytes 8..16 untouched\n")) << outcome;
  }
}

TEST_F(ProgramItself, GoesWithFilesLongArgumentsAndStrictFilters) {
  const std::string program = guest("echo_input");
  for (const char* profile : {"default", "native"})
    for (const std::size_t size : {10UZ, 200'000UZ}) {
      const Outcome outcome =
          run_from(program, {.arguments = {"./guest", std::string(100'000, 'x')},
                             .input = "hello",
                             .files_in = {{"data", std::string(size, 'y')}},
                             .files_out = {"data"},
                             .profile = profile});
      EXPECT_TRUE(ended_as(outcome, Exited{0})) << profile << ' ' << size << ' ' << outcome;
      EXPECT_EQ(outcome.output, "hello") << profile << ' ' << size;
      EXPECT_EQ(outcome.files.at("data").size(), size);
    }
}

TEST_F(ProgramItself, ThatIsNoneDoesNotStart) {
  const Outcome outcome = run_from("no program", {.arguments = {"./guest"}});
  const auto* end = std::get_if<NotStarted>(&outcome.facts.end);
  ASSERT_NE(end, nullptr) << outcome;
  EXPECT_EQ(end->error, ENOEXEC) << outcome;
}

TEST_F(ProgramItself, IsCalledByAPath) {
  Prepared prepared({.arguments = {"guest"}});
  const std::string program = guest("echo_input");
  prepared.spec.program = program;
  const auto facts = engine().run(prepared.spec);
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().fault, Fault::InvalidRequest);
}

}  // namespace
}  // namespace assay::test
