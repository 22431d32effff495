// What a live box shows of itself to the host, and what of it is not as it should be. Everything is
// read from outside, in /proc and in cgroupfs; the box is asked nothing.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sandbox/profile.h"

namespace assay::test {

struct LiveBox {
  int launcher = 0;
  int init = 0;
  std::vector<int> programs{};  // with all they started
};

// The boxes below a warden, or below whoever has wardens below itself, in which a program runs.
std::vector<LiveBox> live_boxes(int above);

// How a run was to be. The limits and the environment are all there are, the profile's with them.
struct Asked {
  sandbox::Profile profile{};
  sandbox::Limits limits{};
  std::vector<std::string> environment{};
  std::vector<std::string> descriptors{
      "pipe:", "pipe:", "pipe:"};  // how what 0, 1, 2, … are begins
  std::vector<sandbox::HostMount> mounts{};
  std::string cores{};  // as /proc writes them; empty: as we have them
  std::string umask = "0022";
  std::optional<Bytes> stack_most{};  // to which it may raise its stack
  bool own_session = false;
  bool sets_own_signals = false;  // an interpreter does before we can look
  bool starts_others = false;     // whose environment and descriptors are its own
};

Asked asked_of(const std::string& profiles, const std::string& name);

// One sentence for each thing that is not as it should be: of every thread of the program, its init
// and its launcher. Empty: all is.
std::vector<std::string> faults_of(const LiveBox& box, const Asked& asked);

std::string lines_of(const std::vector<std::string>& faults);

// That two boxes share nothing that both could change.
std::vector<std::string> faults_between(const LiveBox& one, const LiveBox& other);

}  // namespace assay::test
