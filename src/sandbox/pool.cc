#include "sandbox/pool.h"

#include <utility>

#include "base/check.h"

namespace assay::sandbox {
namespace {

// Cheap insurance against what nobody has thought of: a box is made anew after so many runs. That
// is when it would be lent the next time: so the number of boxes, and what they cost, stays the
// same.
constexpr std::uint64_t kRunsPerBox = 1000;

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
  auto& free = free_[kind];
  auto best = free.end();
  for (auto it = free.begin(); it != free.end(); ++it) {
    const bool fits = spec.cores.size() != 1 || (*it)->home() == spec.cores.front() + 1;
    if ((best != free.end() && !fits) || !(*it)->is_ready()) continue;
    best = it;
    if (fits) break;
  }
  if (best != free.end()) {
    auto box = std::move(*best);
    free.erase(best);
    return box;
  }
  if (free.size() <= options_.spare_boxes) return nullptr;
  auto box = std::move(free.front());
  free.pop_front();
  return box;
}

Result<Sandbox::Pool::Loan> Sandbox::Pool::lend(const Spec& spec) {
  const std::string kind = kind_of(spec.profile, spec.mounts);
  while (auto box = take_free(kind, spec)) {
    const bool worn = box->runs() >= kRunsPerBox;
    if (!worn && box->await_ready()) return Loan(this, kind, std::move(box));
    const std::uint32_t number = box->number();
    box.reset();
    TRY_STATUS(link_.retire(number));
    if (worn) break;
  }
  auto box = TRY(make(spec, kind));
  const Status ready = box->await_ready();
  if (ready) return Loan(this, kind, std::move(box));
  const std::uint32_t number = box->number();
  box.reset();
  (void)link_.retire(number);  // nobody else would
  return std::unexpected(ready.error());
}

void Sandbox::Pool::give_back(const std::string& kind, std::unique_ptr<BoxHandle> box, bool clean) {
  if (options_.one_shot) return;  // it ends with its sockets
  if (!clean || box->is_odd() || box->mode() == BoxMode::None) {
    const std::uint32_t number = box->number();
    box.reset();
    (void)link_.retire(number);  // fails only when the warden is gone, and the box with it
    return;
  }
  const std::lock_guard guard(lock_);
  free_[kind].push_back(std::move(box));
}

Sandbox::Boxes Sandbox::Pool::boxes() {
  return {.made = made_, .current = lent_};
}

Status Sandbox::Pool::await_clean() {
  const std::lock_guard guard(lock_);
  for (auto& [kind, boxes] : free_)
    for (auto& box : boxes)
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
