#include "sandbox/warden/boxes.h"

#include <poll.h>

#include <vector>

namespace assay::sandbox::warden {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kMostBoxes = kIdsPerInstance / 2;

// Nearly every box is gone by then, and the next order finds its cgroups removed. It is also what
// one that is not costs everybody else.
constexpr int kAtOnceMs = 10;

}  // namespace

Result<unsigned> Boxes::free_number() {
  if (living_.size() + dying_.size() >= kMostBoxes)
    return invalid("this engine has as many boxes as it can have (" +
                   std::to_string(dying_.size()) + " of them were killed and have not ended)");
  while (living_.contains(next_ % kMostBoxes) || dying_.contains(next_ % kMostBoxes))
    ++next_;
  return next_++ % kMostBoxes;
}

void Boxes::add(Box box) {
  const unsigned number = box.number;
  living_.emplace(number, std::move(box));
}

bool Boxes::retire(unsigned number) {
  auto found = living_.extract(number);
  if (found.empty()) return false;
  end(std::move(found.mapped()));
  return true;
}

void Boxes::end(Box box) {
  box.kill();
  if (box.has_ended(kAtOnceMs)) return;
  const unsigned number = box.number;
  dying_.emplace(number, std::move(box));
}

bool Boxes::bury(int socket, int patience_ms) {
  std::vector<pollfd> watched{{socket, POLLIN, 0}};
  for (const auto& [number, box] : dying_)
    watched.push_back({box.launcher.pidfd(), POLLIN, 0});
  // A poll that fails for lack of memory must not become a loop without a pause: as if asked.
  if (::poll(watched.data(), watched.size(), patience_ms) < 0) return errno != EINTR;
  std::erase_if(dying_, [](const auto& entry) { return entry.second.has_ended(0); });
  return watched.front().revents != 0;
}

void Boxes::bury_until_asked(int socket) {
  while (!dying_.empty())
    if (bury(socket, -1)) return;
}

Status Boxes::end_all(std::chrono::milliseconds patience) {
  for (auto& [number, box] : living_)
    box.kill();
  dying_.merge(living_);
  const auto deadline = Clock::now() + patience;
  while (!dying_.empty()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0)
      return system_error(ETIMEDOUT, "wait for the end of killed boxes (" +
                                         std::to_string(dying_.size()) + ", the first is box " +
                                         std::to_string(dying_.begin()->first) +
                                         "; the next engine removes what is left)");
    bury(-1, static_cast<int>(left.count()));
  }
  return {};
}

}  // namespace assay::sandbox::warden
