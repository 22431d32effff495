// One box: its cgroups, its launcher, its ids. Made by make_box, unmade by the destructor. Those of
// an engine are in boxes.h.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "os/packet.h"
#include "os/process.h"
#include "sandbox/profile.h"
#include "sandbox/warden/filter.h"
#include "sandbox/warden/instance.h"
#include "sandbox/warden/meters.h"

namespace assay::sandbox::warden {

struct BoxRequest {
  unsigned number = 0;
  const Profile& profile;
  std::function<Result<const Filter*>()>
      filter{};  // asked once the launcher is at work; empty: none
  std::vector<HostMount> mounts{};
  int core = -1;
  unsigned leaves = inside::kLeaves;
};

// How user ids are mapped: root may map a block of its own; a plain user has newuidmap's range, or
// just itself.
enum class Identities { Block, Helper, Single };

struct StartedLauncher;

struct Workshop {  // what all boxes of an engine are made with
  const Instance& instance;
  const Meters& meters;
  int launcher_image = -1;  // sealed memfd
  Identities identities = Identities::Block;
  StartedLauncher* spare = nullptr;  // cloned ahead for the first box; see start_ahead()
};

struct Box {
  unsigned number = 0;
  BoxMeters meters{};  // after `launcher`: cgroups are removed when nobody is in them any more
  os::Process launcher{};
  os::OwnedFd boot{};
  os::OwnedFd go{};       // open until the launcher has answered, so that kill() can tell
  os::OwnedFd control{};  // the daemon's ends, given away right after
  os::OwnedFd run{};
  os::OwnedFd slate{};
  std::string work_directory{};  // isolation "none"
  bool isolated = true;
  bool killed = false;

  Box() = default;
  Box(Box&&) noexcept = default;
  Box& operator=(Box&&) = delete;
  Box(const Box&) = delete;
  Box& operator=(const Box&) = delete;
  ~Box();  // kills it, waits until it has ended, and removes what it had

  void forget_handle();  // the daemon's alone from then on: its end is the box's end
  void kill();           // does not wait for its end
  // The launcher is pid 1 of the box: it ends after everybody in it.
  [[nodiscard]] bool has_ended(int patience_ms) const;
};

// Clones a launcher for the box that is most likely asked for first: isolated, without network, on
// any core. On v2 a launcher is born in the cgroup of its box, so there it cannot be done.
Result<StartedLauncher> start_ahead(int launcher_image);

// What could not be made whole is in `box` all the same: it may be long in dying (boxes.h).
Status make_box(const Workshop& workshop, const BoxRequest& request, Box& box);

}  // namespace assay::sandbox::warden
