// `assay doctor`: looks at the host, says what it found and how to mend what is not as it should
// be. Nothing is changed: features are tried in ways that leave no trace, and the one box that is
// made is removed again. Every look is bounded in time; a plain user gets the same report, about
// what a plain user can do.
#pragma once

#include <compare>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "os/cgroup.h"

namespace assay::cli::checkup {

enum class State {
  Ok,
  Note,      // neither good nor bad: worth knowing when reading measurements
  Optional,  // not there, and nothing of ours needs it
  Degraded,  // works, but less or less exactly
  Missing,
};

struct Finding {
  State state = State::Ok;
  std::string found{};
  std::string fix{};  // a command or a file edit; empty when there is nothing to mend
};

struct Line {
  std::string group{};
  std::string name{};
  Finding finding{};
};

struct KernelVersion {
  unsigned major = 0;
  unsigned minor = 0;
  auto operator<=>(const KernelVersion&) const = default;
};

// What several checks want to know.
struct Host {
  bool root = false;
  std::string user{};  // name, or the number of a user without one
  std::string release{};
  KernelVersion kernel{};
  os::CgroupLayout cgroups{};
  bool systemd = false;
};
Host read_host();

struct Check {
  const char* group;
  const char* name;
  Finding (*look)(const Host& host);
};

// What came of really making a box and running a program in it.
struct BoxTrial {
  std::string mode = "none";  // "full", "degraded"
  std::string instance{};
  std::vector<std::string> missing{};  // what a degraded box lacks
  std::string error{};                 // why there is none
};
BoxTrial try_box();
// `above`: the lines of the checks made before, in which the reason for having no box is to be
// found.
std::vector<Line> box_lines(const Host& host, const BoxTrial& trial, std::span<const Line> above);

// The groups with a fixed list of checks.
std::span<const Check> kernel_checks();
std::span<const Check> cgroup_checks();
std::span<const Check> identity_checks();
std::span<const Check> noise_checks();
// And those whose lines depend on what is there.
std::vector<Line> feature_lines(const Host& host);
std::vector<Line> profile_lines(const Host& host);
std::vector<Line> language_lines(const Host& host);

// How to get what a box lacks when its cgroups or its user ids are not its own.
std::string cgroup_fix(const Host& host);
std::string identity_fix(const Host& host);

}  // namespace assay::cli::checkup
