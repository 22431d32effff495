#include "sandbox/facts.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <cerrno>
#include <csignal>

namespace assay::sandbox {
namespace {

TEST(Facts, SignalsHaveTheirUsualNames) {
  EXPECT_EQ(name_of_signal(SIGSEGV), "SIGSEGV");
  EXPECT_EQ(name_of_signal(SIGSYS), "SIGSYS");
  EXPECT_EQ(name_of_signal(34), "real-time signal 2");
  EXPECT_EQ(name_of_signal(0), "unknown signal");
  EXPECT_EQ(name_of_signal(1000), "unknown signal");
}

TEST(Facts, SystemCallsHaveTheirUsualNames) {
  EXPECT_EQ(name_of_syscall(SYS_ptrace), "ptrace");
  EXPECT_EQ(name_of_syscall(SYS_read), "read");
  EXPECT_EQ(name_of_syscall(SYS_clone3), "clone3");
  EXPECT_EQ(name_of_syscall(SYS_openat2), "openat2");
  EXPECT_EQ(name_of_syscall(400), "system call 400");
  EXPECT_EQ(name_of_syscall(-1), "system call -1");
  EXPECT_EQ(name_of_syscall(100000), "system call 100000");
}

TEST(Facts, CutOffsAndBoxesAreNamedInLowerCase) {
  EXPECT_EQ(name_of(CutOff::None), "none");
  EXPECT_EQ(name_of(CutOff::Wall), "wall");
  EXPECT_EQ(name_of(CutOff::Shutdown), "shutdown");
  EXPECT_EQ(name_of(BoxMode::Degraded), "degraded");
}

TEST(Facts, AProgramThatDidNotStartIsExplained) {
  struct Case {
    NotStarted failure;
    std::string_view sentence;
  };
  const Case cases[] = {
      {{"execute", "foo", ENOENT},
       "could not execute 'foo': no such file in the box, or the interpreter that it names is "
       "missing"},
      {{"execute", "foo", EACCES},
       "could not execute 'foo': permission denied (is it executable?)"},
      {{"execute", "foo", ENOEXEC},
       "could not execute 'foo': not a program that this machine can run (a script needs a #! "
       "line)"},
      {{"execute", "foo", ELOOP}, "could not execute 'foo': Too many levels of symbolic links"},
      {{"execute", "", E2BIG},
       "could not execute the program: its arguments and environment are too long"},
      {{"limit", "stack", EINVAL}, "could not prepare the box: limit 'stack': Invalid argument"},
      {{"init", "", 0}, "could not prepare the box: init"},
      {{"bind", "/usr", 9999}, "could not prepare the box: bind '/usr': error 9999"},
  };
  for (const auto& [failure, sentence] : cases)
    EXPECT_EQ(describe(failure), sentence);
}

}  // namespace
}  // namespace assay::sandbox
