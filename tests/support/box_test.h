// A test with an engine of its own: runs guests in boxes, and fails when anything of the engine is
// left afterwards. Time limits are multiplied by ASSAY_SLOW_MACHINE. With ASSAY_TEST_DEGRADED=1
// boxes may lack what a plain user cannot have, and tests that need it skip. One thread and no
// spare boxes: every run of a profile is in the same box.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "sandbox/sandbox.h"
#include "verdict/judge.h"

namespace assay::test {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;
using std::chrono_literals::operator""h;

Nanoseconds scaled(Nanoseconds time);        // as long as this machine needs for it
std::string milliseconds(Nanoseconds time);  // as an argument of a guest

struct Put {
  std::string name{};
  std::string content{};
  bool executable = false;
};

// What to run, as a value that can be run again.
struct Job {
  std::string guest{};  // from tests/guests, put in as "guest" and run as "./guest"
  std::vector<std::string> arguments{};  // of the guest; without a guest, the whole argv
  std::string input{};
  std::vector<Put> files_in{};
  std::vector<std::string> files_out{};
  Bytes out_limit = 256_MiB;
  sandbox::Limits limits{};
  std::string profile = "default";
  std::vector<std::string> environment{};
  std::vector<unsigned> cores{};
};

struct Outcome {
  sandbox::Facts facts{};
  std::string output{};
  std::string errors{};
  std::map<std::string, std::string> files{};
  std::string letters{};  // of the verdict under policy 'assay'
};
std::ostream& operator<<(std::ostream& stream, const Outcome& outcome);

// A job made into a spec. Streams are collected into `outcome`; a test may change the spec before
// it is run.
struct Prepared {
  explicit Prepared(const Job& job);
  void finish(const sandbox::Facts& facts);  // fills `outcome`

  sandbox::Spec spec{};
  Outcome outcome{};

 private:
  std::vector<os::OwnedFd> fds_;
};

os::OwnedFd file_of(std::string_view content);  // anonymous, at its start
std::string content_of(int fd);
std::string guest_path(const std::string& name);

class BoxTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  Outcome run(const Job& job, sandbox::Control* control = nullptr);  // an Error fails the test
  Result<Outcome> try_run(const Job& job, sandbox::Control* control = nullptr);
  sandbox::Sandbox& engine() { return *engine_; }
  void end_engine() { engine_.reset(); }
  static bool all_gone(const std::string& mark);  // processes with it; waits for them

  static sandbox::Options options();
  // A box that lacks nothing; else why not.
  static const std::vector<std::string>& missing();
  static bool has_meters();
  static bool has_own_ids();  // the program's are neither ours nor another box's

 private:
  std::optional<sandbox::Sandbox> engine_;
  std::string instance_;
  std::size_t descriptors_ = 0;
};

template <typename T>
bool ended_as(const Outcome& outcome, const T& end) {
  const T* found = std::get_if<T>(&outcome.facts.end);
  return found != nullptr && *found == end;
}

std::string letters_of(const sandbox::Facts& facts);

#define NEEDS_METERS() \
  if (!has_meters()) GTEST_SKIP() << "needs cgroups: " << missing().front()

#define NEEDS_OWN_IDS() \
  if (!has_own_ids()) GTEST_SKIP() << "the program has our id: " << missing().back()

}  // namespace assay::test
