// Row 22: code that a program wrote itself.
#include <sys/syscall.h>

#include <map>
#include <utility>

#include "tests/attacks/attack.h"

namespace assay::test {
namespace {

using sandbox::Forbidden;
using Ways = std::vector<std::pair<std::string, std::string>>;  // and where

class Attack22WrittenCode : public Attack {
 protected:
  Outcome run_written(const std::string& way, const std::string& place,
                      const std::string& profile) {
    return attack({.guest = "run_written_code", .arguments = {way, place}, .profile = profile});
  }
};

// Every way of its own: a strict filter ends the program at the first.
TEST_F(Attack22WrittenCode, RunsByDefaultFromMemoryAndFromPlacesForPrograms) {
  const Ways ways = {{"protect", "memory"}, {"memfd", "memory"}, {"map", "/w"},  {"map", "/tmp"},
                     {"run", "/w"},         {"run", "/tmp"},     {"at", "/tmp"}, {"load", "/tmp"}};
  for (const auto& [way, place] : ways) {
    const Outcome outcome = run_written(way, place, "default");
    EXPECT_EQ(result_of(outcome, way + " " + place), "done") << way << " " << place << outcome;
  }
}

// /proc is read-only: pages that are not writable stay so.
TEST_F(Attack22WrittenCode, IsNotWrittenThroughProc) {
  for (const std::string profile : {"default", "native"}) {
    const Outcome outcome = run_written("own", "memory", profile);
    EXPECT_EQ(result_of(outcome, "own memory"), "EROFS") << profile << outcome;
  }
}

TEST_F(Attack22WrittenCode, DoesNotRunFromSharedMemoryNotEvenThroughTheLoader) {
  const std::map<std::string, std::string> words = {
      {"map", "EPERM"}, {"run", "EACCES"}, {"at", "EACCES"}, {"load", ""}};
  for (const auto& [way, word] : words) {
    const Outcome outcome = run_written(way, "/dev/shm", "default");
    EXPECT_EQ(result_of(outcome, way + " /dev/shm"), word) << way << outcome;
  }
  const Outcome loaded = run_written("load", "/dev/shm", "default");
  EXPECT_TRUE(loaded.errors.contains("failed to map segment")) << loaded;
}

TEST_F(Attack22WrittenCode, IsNoOtherProgramUnderTheStrictProfile) {
  const std::map<std::string, int> ways = {
      {"run", SYS_execve}, {"at", SYS_execveat}, {"load", SYS_execve}};
  for (const auto& [way, number] : ways)
    for (const std::string place : {"/w", "/tmp", "/dev/shm"}) {
      const Outcome outcome = run_written(way, place, "native");
      EXPECT_TRUE(ended_as(outcome, Forbidden{number})) << way << " " << place << outcome;
      EXPECT_FALSE(outcome.output.contains("done")) << way << " " << place << outcome;
    }
  const Outcome memory = run_written("memfd", "memory", "native");
  EXPECT_EQ(result_of(memory, "memfd memory"), "EPERM") << memory;
}

// A loader needs pages that can be executed, and so do programs that translate: no filter can tell
// theirs from these. It stays the same program under the same filter.
TEST_F(Attack22WrittenCode, InItsOwnMemoryRunsUnderTheStrictProfileAndGainsNothing) {
  const Ways ways = {{"protect", "memory"}, {"map", "/w"}, {"map", "/tmp"}};
  for (const auto& [way, place] : ways) {
    const Outcome outcome = run_written(way, place, "native");
    EXPECT_EQ(result_of(outcome, way + " " + place), "done") << way << " " << place << outcome;
  }
  const Outcome shared = run_written("map", "/dev/shm", "native");
  EXPECT_EQ(result_of(shared, "map /dev/shm"), "EPERM") << shared;
}

}  // namespace
}  // namespace assay::test
