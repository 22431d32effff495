// The rules of a posture, by what they look at. Each adds a sentence for what does not hold.
#pragma once

#include "tests/support/posture.h"
#include "tests/support/proc.h"

namespace assay::test {

enum class Role { Launcher, Init, Program };

struct Member {
  Role role{};
  proc::Thread thread{};
};

class Faults {
 public:
  Faults(const LiveBox& looked_at, const Asked& run) : box(looked_at), asked(run) {}

  // Begins sentences about this one.
  void about(const Member& member);
  void expect(bool holds, const std::string& otherwise);
  void equal(const std::string& what, const std::string& found, const std::string& wanted);

  const LiveBox& box;
  const Asked& asked;
  std::vector<std::string> found{};

 private:
  std::string who_;
};

void check_privileges(Faults& faults, const Member& member);   // posture_privileges.cc
void check_identity(Faults& faults, const Member& member);     // posture_privileges.cc
void check_namespaces(Faults& faults, const Member& member);   // posture_privileges.cc
void check_scheduling(Faults& faults, const Member& member);   // posture_privileges.cc
void check_places(Faults& faults, const Member& member);       // posture_view.cc: root, cwd, mounts
void check_descriptors(Faults& faults, const Member& member);  // posture_view.cc
void check_environment(Faults& faults, const Member& member);  // posture_view.cc
void check_limits(Faults& faults, const Member& member);       // posture_limits.cc
void check_cgroups(Faults& faults, const Member& member);      // posture_limits.cc

}  // namespace assay::test
