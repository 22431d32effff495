#include "sandbox/pool.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/check.h"

namespace assay::sandbox {
namespace {

using namespace std::chrono_literals;

// Cheap insurance against what nobody has thought of: a box is made anew after so many runs. That
// is when it would be lent the next time: so the number of boxes, and what they cost, stays the
// same.
constexpr std::uint64_t kRunsPerBox = 1000;

// Boxes that nobody needed for so long are retired, beyond the spare ones: after some run, one at a
// time, so that its caller hardly waits for it.
constexpr auto kPeriod = 5s;
constexpr auto kBetweenRetirements = 250ms;

constexpr int kRetiredForRoom = 8;  // boxes, when there are no descriptors for another

std::string kind_of(const std::string& profile, const std::vector<HostMount>& mounts) {
  std::string kind = profile;
  for (const HostMount& mount : mounts)
    kind += '\0' + mount.source + '\0' + mount.target + (mount.writable ? 'w' : 'r');
  return kind;
}

}  // namespace

Result<const Profile*> Sandbox::Pool::profile(const std::string& name) {
  const std::lock_guard guard(lock_);
  if (const auto known = profiles_.find(name); known != profiles_.end()) return known->second.get();
  auto loaded = std::make_unique<Profile>(TRY(load_profile(options_.profiles, name)));
  return profiles_.emplace(name, std::move(loaded)).first->second.get();
}

WardenLink::BoxOrder Sandbox::Pool::order_for(const Spec& spec) const {
  const int core = options_.cores.size() == 1 ? static_cast<int>(options_.cores[0]) : -1;
  return {
      .profile = spec.profile, .mounts = spec.mounts, .core = core, .one_shot = options_.one_shot};
}

Status Sandbox::Pool::order_ahead(const Spec& spec) {
  CHECK(ordered_.empty());
  TRY_STATUS(link_.order_box(order_for(spec)));
  ordered_ = kind_of(spec.profile, spec.mounts);
  return {};
}

Result<std::unique_ptr<BoxHandle>> Sandbox::Pool::make(const Spec& spec, const std::string& kind) {
  std::unique_ptr<BoxHandle> box;
  if (!ordered_.empty()) {
    const bool wanted = std::exchange(ordered_, {}) == kind;
    box = std::make_unique<BoxHandle>(TRY(link_.take_box()));
    if (!wanted) TRY_STATUS(link_.retire(box->number()));
    if (!wanted) box = std::make_unique<BoxHandle>(TRY(link_.make_box(order_for(spec))));
  } else {
    box = std::make_unique<BoxHandle>(TRY(link_.make_box(order_for(spec))));
  }
  ++made_;
  if (box->mode() == BoxMode::Degraded && !options_.allow_degraded) {
    std::string why;
    for (const std::string& line : box->missing())
      why += (why.empty() ? "" : "; ") + line;
    (void)link_.retire(box->number());
    return invalid("a full box cannot be made here (" + why +
                   "); run 'assay doctor', or allow degraded boxes");
  }
  return box;
}

// A box that has finished cleaning, if there is one, best of all one that waits where the program
// will run; else the one that has been cleaning longest, if there are enough of them that waiting
// beats making another.
std::unique_ptr<BoxHandle> Sandbox::Pool::take_free(const std::string& kind, const Spec& spec) {
  const std::lock_guard guard(lock_);
  Shelf<BoxHandle>& shelf = free_[kind];
  auto& free = shelf.boxes();
  auto best = free.end();
  for (auto it = free.begin(); it != free.end(); ++it) {
    const bool fits = spec.cores.size() != 1 || (*it)->home() == spec.cores.front() + 1;
    if ((best != free.end() && !fits) || !(*it)->is_ready()) continue;
    best = it;
    if (fits) break;
  }
  if (best != free.end()) return shelf.take(best);
  if (free.size() > options_.spare_boxes) return shelf.take(free.begin());
  shelf.lacks();
  return nullptr;
}

// Its sockets close first: then it ends by itself, and the warden has less to wait for.
Status Sandbox::Pool::retire(std::unique_ptr<BoxHandle> box) {
  const std::uint32_t number = box->number();
  box.reset();
  return link_.retire(number);
}

Result<Sandbox::Pool::Loan> Sandbox::Pool::lend(const Spec& spec) {
  const std::string kind = kind_of(spec.profile, spec.mounts);
  while (auto box = take_free(kind, spec)) {
    const bool worn = box->runs() >= kRunsPerBox;
    if (!worn && box->await_ready()) return Loan(this, kind, std::move(box));
    TRY_STATUS(retire(std::move(box)));
    if (worn) break;
  }
  auto made = make(spec, kind);
  if (!made && made.error().code == EMFILE && retire_some()) made = make(spec, kind);
  auto box = TRY(std::move(made));
  const Status ready = box->await_ready();
  if (ready) return Loan(this, kind, std::move(box));
  (void)retire(std::move(box));  // nobody else would
  return std::unexpected(ready.error());
}

void Sandbox::Pool::give_back(const std::string& kind, std::unique_ptr<BoxHandle> box, bool clean) {
  if (options_.one_shot) return;  // it ends with its sockets
  if (!clean || box->is_odd() || box->mode() == BoxMode::None) {
    (void)retire(std::move(box));  // fails only when the warden is gone, and the box with it
    return;
  }
  std::unique_lock guard(lock_);
  free_[kind].put(std::move(box));
  auto unneeded = take_unneeded(std::chrono::steady_clock::now());
  guard.unlock();
  if (unneeded) (void)retire(std::move(unneeded));
}

std::unique_ptr<BoxHandle> Sandbox::Pool::take_unneeded(std::chrono::steady_clock::time_point now) {
  if (now < next_retirement_) return nullptr;
  if (now >= period_ends_) {
    for (auto& [kind, shelf] : free_)
      shelf.end_period(options_.spare_boxes);
    period_ends_ = now + kPeriod;
  }
  next_retirement_ = now + kBetweenRetirements;
  for (auto& [kind, shelf] : free_)
    if (auto box = shelf.take_unneeded(options_.spare_boxes)) return box;
  return nullptr;
}

// All that are due, whatever runs or does not.
void Sandbox::Pool::retire_unneeded() {
  for (;;) {
    std::unique_lock guard(lock_);
    next_retirement_ = {};
    auto box = take_unneeded(std::chrono::steady_clock::now());
    guard.unlock();
    if (!box || !retire(std::move(box))) return;
  }
}

// Of any kind: what waits keeps the descriptors that a box would need that is wanted now.
bool Sandbox::Pool::retire_some() {
  int retired = 0;
  for (; retired < kRetiredForRoom; ++retired) {
    std::unique_lock guard(lock_);
    const auto full =
        std::ranges::find_if(free_, [](auto& entry) { return !entry.second.boxes().empty(); });
    if (full == free_.end()) break;
    auto box = full->second.take(full->second.boxes().begin());
    guard.unlock();
    if (!retire(std::move(box))) break;
  }
  return retired > 0;
}

Sandbox::Boxes Sandbox::Pool::boxes() {
  return {.made = made_, .current = lent_};
}

Status Sandbox::Pool::await_clean() {
  const std::lock_guard guard(lock_);
  for (auto& [kind, shelf] : free_)
    for (auto& box : shelf.boxes())
      (void)box->await_ready();  // an odd one is retired when it is next looked at
  return {};
}

Status Sandbox::Pool::prepare(const std::string& profile, unsigned count) {
  std::vector<Loan> made;
  for (unsigned i = 0; i < count; ++i) {
    Loan loan = TRY(lend(Spec{.profile = profile}));
    loan.finished();
    made.push_back(std::move(loan));
  }
  return {};
}

}  // namespace assay::sandbox
