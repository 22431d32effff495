// A program that is run from its descriptor and is in no directory of the box.
#include <sys/stat.h>

#include "os/file.h"
#include "tests/support/box_test.h"

namespace assay::test {
namespace {

using sandbox::BoxMode;
using sandbox::Exited;
using sandbox::NotStarted;

os::OwnedFd memory_of(std::string_view content) {
  os::OwnedFd file = os::sealed_memory("guest", content, true).value();
  EXPECT_EQ(::fchmod(file.get(), 0555), 0);
  return file;
}

os::OwnedFd memory_of_guest(const std::string& name) {
  return memory_of(os::read_whole(guest_path(name)).value());
}

class ProgramItself : public BoxTest {
 protected:
  Outcome run_from(const os::OwnedFd& program, Job job) {
    Prepared prepared(job);
    prepared.spec.program = program.get();
    const auto facts = engine().run(prepared.spec);
    EXPECT_TRUE(facts) << describe(facts.error());
    if (facts) prepared.finish(*facts);
    return std::move(prepared.outcome);
  }
};

TEST_F(ProgramItself, IsNotAmongTheFiles) {
  NEEDS_METERS();  // a plain user's box may have a single id
  const os::OwnedFd program = memory_of_guest("mark_own_executable");
  const Outcome outcome = run_from(program, {.arguments = {"./guest", "more"}});
  EXPECT_TRUE(ended_as(outcome, Exited{1})) << outcome;
  EXPECT_TRUE(outcome.output.starts_with("called ./guest, beside it nothing\n")) << outcome;
}

// Were there a sign that it could leave, the next run would find it: the memory is the same.
TEST_F(ProgramItself, CannotBeMarkedForTheNextRun) {
  NEEDS_METERS();
  const os::OwnedFd program = memory_of_guest("mark_own_executable");
  const Outcome first = run_from(program, {.arguments = {"./guest"}});
  EXPECT_TRUE(ended_as(first, Exited{0})) << first;
  EXPECT_TRUE(first.output.contains("mode 555, attributes 0, bytes 8..16 untouched\n")) << first;
  EXPECT_FALSE(first.output.contains(": done")) << first;
  EXPECT_EQ(run_from(program, {.arguments = {"./guest"}}).output, first.output);
}

// There it would be the program's own.
TEST_F(ProgramItself, IsAFileWhereThereIsNoIsolation) {
  const os::OwnedFd program = memory_of_guest("mark_own_executable");
  for (int round = 0; round < 2; ++round) {
    const Outcome outcome = run_from(program, {.arguments = {"./guest"}, .profile = "none"});
    EXPECT_EQ(outcome.facts.box, BoxMode::None);
    EXPECT_TRUE(outcome.output.starts_with("called ./guest, beside it a file\n")) << outcome;
    EXPECT_TRUE(outcome.output.contains("mode 755, attributes 0, bytes 8..16 untouched\n"))
        << outcome;
  }
}

TEST_F(ProgramItself, GoesWithFilesLongArgumentsAndStrictFilters) {
  const os::OwnedFd program = memory_of_guest("echo_input");
  for (const char* profile : {"default", "native"})
    for (const std::size_t size : {10, 200'000}) {
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
  const Outcome outcome = run_from(memory_of("no program"), {.arguments = {"./guest"}});
  const auto* end = std::get_if<NotStarted>(&outcome.facts.end);
  ASSERT_NE(end, nullptr) << outcome;
  EXPECT_EQ(end->error, ENOEXEC) << outcome;
}

TEST_F(ProgramItself, IsCalledByAPath) {
  Prepared prepared({.arguments = {"guest"}});
  const os::OwnedFd program = memory_of_guest("echo_input");
  prepared.spec.program = program.get();
  const auto facts = engine().run(prepared.spec);
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().fault, Fault::InvalidRequest);
}

}  // namespace
}  // namespace assay::test
