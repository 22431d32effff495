#include "judge/executable.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

namespace assay::judge {
namespace {

constexpr std::string_view kContent =
    "\x7f"
    "ELF and so on";

ino_t inode_of(const Executable::Loan& loan) {
  struct stat found{};
  EXPECT_EQ(::fstat(loan.get(), &found), 0);
  return found.st_ino;
}

TEST(Executable, IsWhatTheKernelCanRunWithoutAName) {
  EXPECT_TRUE(Executable::is_one(kContent));
  EXPECT_FALSE(Executable::is_one("#!/bin/sh\n"));
  EXPECT_FALSE(Executable::is_one(""));
}

TEST(Executable, RunsAtTheSameTimeHaveOneEach) {
  const auto executable = std::make_shared<Executable>();
  const auto one = Executable::lend(executable, "main", kContent);
  const auto other = Executable::lend(executable, "main", kContent);
  EXPECT_NE(inode_of(one), inode_of(other));
}

TEST(Executable, WhoComesLaterHasWhatWasGivenBack) {
  const auto executable = std::make_shared<Executable>();
  ino_t first = 0;
  {
    const auto loan = Executable::lend(executable, "main", kContent);
    first = inode_of(loan);
  }
  auto again = Executable::lend(executable, "main", kContent);
  EXPECT_EQ(inode_of(again), first);
  again = Executable::Loan{};
  EXPECT_EQ(inode_of(Executable::lend(executable, "main", kContent)), first);
}

TEST(Executable, CannotBeChanged) {
  const auto loan = Executable::lend(std::make_shared<Executable>(), "main", kContent);
  struct stat found{};
  ASSERT_EQ(::fstat(loan.get(), &found), 0);
  EXPECT_EQ(found.st_mode & 07777, 0555U);
  EXPECT_LT(::write(loan.get(), "x", 1), 0);
  EXPECT_LT(::ftruncate(loan.get(), 1), 0);
  std::string content(100, '\0');
  content.resize(static_cast<std::size_t>(::pread(loan.get(), content.data(), content.size(), 0)));
  EXPECT_EQ(content, kContent);
}

TEST(Executable, ANameThatMemoryCannotHaveIsNoReasonToFail) {
  const auto loan =
      Executable::lend(std::make_shared<Executable>(), std::string(300, 'n'), kContent);
  EXPECT_LT(loan.get(), 0);
}

}  // namespace
}  // namespace assay::judge
