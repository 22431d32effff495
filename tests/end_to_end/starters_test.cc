// What the starter of `assay` closed or limited is not the program's to find.
#include <gtest/gtest.h>

#include "tests/end_to_end/command.h"
#include "tests/support/sanitizer.h"

namespace assay::test {
namespace {

std::string quoted(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words)
    line += "'" + word + "' ";
  return line;
}

// By a shell that ends with the status of `assay`, or 124 where it hangs.
Ran run_by_shell(const std::string& before, const std::vector<std::string>& arguments,
                 const std::string& closing) {
  return run_command(
      {"/bin/sh", "-c", before + "timeout 60 " + quoted(exec_command(arguments)) + closing});
}

constexpr const char* kShowDescriptors =
    "for fd in 0 1 2 3 4 5; do readlink /proc/self/fd/$fd; done > shown; exit 0";

// A socket to the warden was descriptor 0 of the program once, and with it the host.
TEST(Starters, ClosedStandardStreamsAreFilledWithNothing) {
  for (const std::string closing : {"<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"}) {
    const Scratch scratch;
    const std::string shown = scratch.path() + "/shown";
    const Ran ran = run_by_shell(
        "", {"--quiet", "--out", "shown=" + shown, "--", "/bin/sh", "-c", kShowDescriptors},
        closing);
    EXPECT_EQ(ran.code, 0) << closing << ran.err;
    const std::string descriptors = content_of(shown);
    EXPECT_FALSE(descriptors.empty()) << closing;
    EXPECT_FALSE(descriptors.contains("socket")) << closing << descriptors;
    EXPECT_FALSE(descriptors.contains("anon_inode")) << closing << descriptors;
    EXPECT_EQ(closing.contains("<&-"), descriptors.starts_with("/dev/null\n")) << descriptors;
  }
}

// Where we may, we raise them; where not, we say so instead of judging by them.
TEST(Starters, HardLimitsOfTheShellAreNotTheProgramsOwn) {
  const bool raised = run_command({"/bin/sh", "-c", "ulimit -s 1024 && ulimit -Hs 2048"}).code == 0;
  const auto granted = [&](const Ran& ran, const char* named) {
    EXPECT_EQ(ran.code, raised ? 0 : 2) << ran.err;
    EXPECT_EQ(ran.err.contains(named), !raised) << ran.err;
  };
  granted(run_by_shell("ulimit -s 1024; ", {"--quiet", "--stack", "64MiB", "--", "/bin/true"}, ""),
          "ulimit -s");
  granted(run_by_shell("ulimit -t 9; ", {"--quiet", "--cpu", "20s", "--", "/bin/true"}, ""),
          "ulimit -t");
  if (kAddressSanitizer || kThreadSanitizer) return;  // their shadows take terabytes of addresses
  granted(run_by_shell("ulimit -v 9000000; ",
                       {"--quiet", "--address-space", "64GiB", "--", "/bin/true"}, ""),
          "ulimit -v");
}

}  // namespace
}  // namespace assay::test
