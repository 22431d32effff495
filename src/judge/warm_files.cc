#include "judge/warm_files.h"

#include <algorithm>

#include "judge/content.h"

namespace assay::judge {
namespace {

// A submission chooses its flags: whatever it chooses, memory and work stay bounded.
constexpr std::size_t kMostHeld = 6;
constexpr std::uint64_t kMostMade = 32;
constexpr std::size_t kMostKnown = 1024;
constexpr Bytes kLargest = 512_MiB;

bool would_profit(const CompileOrder& order) {
  return std::ranges::any_of(order.files, [&](const ProgramFile& file) {
    return profits_from_warmth(*order.language, file.content);
  });
}

WarmFile shared(os::OwnedFd file) {
  return std::make_shared<const os::OwnedFd>(std::move(file));
}

}  // namespace

std::optional<WarmFiles::Plan> WarmFiles::plan(const Language& language,
                                               std::span<const std::string> flags,
                                               const ProfileStamps& profiles) const {
  auto step = warm_up(language, flags);
  if (!step) return std::nullopt;
  const ProgramFile input{.name = language.warmth->file, .content = language.warmth->content};
  auto key =
      compile_key({.steps = {&*step, 1}, .files = {&input, 1}, .results = step->outputs}, profiles);
  if (!key) return std::nullopt;
  return Plan{*language.warmth, *std::move(step), *std::move(key)};
}

Result<WarmFile> WarmFiles::find(const CompileOrder& order, const ProfileStamps& profiles,
                                 Cancellation& cancellation) {
  if (!would_profit(order)) return WarmFile{};
  const auto planned = plan(*order.language, order.flags, profiles);
  if (!planned) return WarmFile{};
  // In memory alone it must be wanted twice: making it costs more than one compilation does.
  return get(*planned, cache_ != nullptr, cancellation);
}

Result<WarmFile> WarmFiles::make(const Language& language, std::span<const std::string> flags,
                                 const ProfileStamps& profiles, Cancellation& cancellation) {
  const auto planned = plan(language, flags, profiles);
  if (!planned) return WarmFile{};
  return get(*planned, true, cancellation);
}

std::uint64_t WarmFiles::made() const {
  const std::lock_guard lock(mutex_);
  return made_;
}

// Whether it is for the caller to get it.
bool WarmFiles::begin(Known& known, bool worth_it) {
  ++known.wanted;
  known.used = ++uses_;
  if (known.file || known.busy || known.failed) return false;
  if (!worth_it && known.wanted < 2) return false;
  known.busy = true;
  return true;
}

Result<WarmFile> WarmFiles::get(const Plan& plan, bool worth_it, Cancellation& cancellation) {
  {
    const std::lock_guard lock(mutex_);
    if (!known_.contains(plan.key) && known_.size() >= kMostKnown) return WarmFile{};
    Known& known = known_[plan.key];
    if (!begin(known, worth_it)) return known.file;
  }
  auto file = load_or_build(plan, cancellation);
  const std::lock_guard lock(mutex_);
  Known& known = known_[plan.key];
  known.busy = false;
  if (file) known.file = *file;
  known.failed = file && *file == nullptr && !cancellation.is_cancelled();
  forget_oldest();
  return file;
}

void WarmFiles::forget_oldest() {
  const auto held = [](const auto& known) {
    return known.second.file != nullptr;
  };
  while (static_cast<std::size_t>(std::ranges::count_if(known_, held)) > kMostHeld) {
    auto oldest = std::ranges::find_if(known_, held);
    for (auto at = oldest; at != known_.end(); ++at)
      if (held(*at) && at->second.used < oldest->second.used) oldest = at;
    oldest->second.file.reset();
  }
}

Result<WarmFile> WarmFiles::load_or_build(const Plan& plan, Cancellation& cancellation) {
  if (cache_ != nullptr) {
    const auto kept = TRY(cache_->find(plan.key));
    if (kept && kept->files.size() == 1) return shared(TRY(cache_->sealed(*kept, 0)));
  }
  {
    const std::lock_guard lock(mutex_);
    if (made_ >= kMostMade) return WarmFile{};
    ++made_;
  }
  return build(plan, cancellation);
}

// Whatever goes wrong here, compilations go on without it.
Result<WarmFile> WarmFiles::build(const Plan& plan, Cancellation& cancellation) {
  os::OwnedFd into = TRY(cache_ != nullptr ? cache_->scratch() : nameless_file());
  const sandbox::Spec spec{
      .profile = plan.step.profile,
      .argv = plan.step.argv,
      .environment = plan.step.environment,
      .files_in = {{.name = plan.warmth.file, .content = plan.warmth.content}},
      .files_out = {{.name = plan.step.outputs.front(), .sink = into.get(), .limit = kLargest}},
      .limits = plan.step.limits,
  };
  const auto facts = cancellation.run(engine_, spec);
  const auto* exited = facts ? std::get_if<sandbox::Exited>(&facts->end) : nullptr;
  const bool good = exited != nullptr && exited->code == 0 && facts->file_errors.empty() &&
                    facts->cut_off_by == sandbox::CutOff::None;
  if (!good) return WarmFile{};
  return keep(plan, std::move(into));
}

Result<WarmFile> WarmFiles::keep(const Plan& plan, os::OwnedFd file) {
  if (cache_ == nullptr) {
    TRY_STATUS(seal(file.get()));
    return shared(std::move(file));
  }
  const Content content{.file = shared(TRY(os::duplicate(file.get())))};
  os::OwnedFd copy = TRY(sealed(content));
  std::vector<NewFile> files;
  files.push_back({.name = plan.step.outputs.front(), .scratch = std::move(file)});
  (void)cache_->keep(plan.key, {.ok = true, .exit_code = 0}, std::move(files));  // or next time
  return shared(std::move(copy));
}

}  // namespace assay::judge
