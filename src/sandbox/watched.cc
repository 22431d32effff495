#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>

#include "sandbox/steps.h"
#include "sandbox/transfer.h"
#include "sandbox/watch.h"

namespace assay::sandbox {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kNoise = 1ms;          // less cpu than this is no progress
constexpr Nanoseconds kShortestNap = 200us;  // between two looks at a meter that lags
constexpr Nanoseconds kKillPatience =
    10s;  // a dying fork bomb may take a while, more under emulation
// What init uses of the program's meter while the program runs, at most; known only at the end.
constexpr Nanoseconds kInitShare = 200us;
constexpr Clock::time_point kNever = Clock::time_point::max();

unsigned cores_of_the_host() {
  static const auto count = static_cast<unsigned>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
  return count;
}

}  // namespace

Watched::Watched(const Spec& spec, const Limits& limits, BoxHandle& box)
    : spec_(&spec),
      limits_(limits),
      box_(&box),
      streams_(spec),
      cores_(spec.cores.empty() ? cores_of_the_host() : static_cast<unsigned>(spec.cores.size())) {}

void Watched::started(Clock::time_point now) {
  streams_.program_started();
  sent_ = progress_at_ = now;
  schedule(now, {});
}

Nanoseconds Watched::cpu_used() {
  const auto start = box_->started();
  if (!start) return {};
  if (!box_->has_meters()) {
    const auto reply = box_->usage();
    return reply ? Nanoseconds(reply->cpu_ns) : Nanoseconds{};
  }
  return std::max(box_->leaf().cpu_total() - Nanoseconds(start->cpu_base_ns), Nanoseconds{});
}

Nanoseconds Watched::wall_used(Clock::time_point now) const {
  const auto start = box_->started();
  if (!start) return {};
  const Nanoseconds standing =
      paused_total_ + (paused_since_ ? now - *paused_since_ : Nanoseconds{});
  return now - Clock::time_point(Nanoseconds(start->at_ns)) - standing;
}

// The earliest moment at which any limit can be reached, if every core works for this program from
// now on.
void Watched::schedule(Clock::time_point now, Nanoseconds cpu) {
  due_ = kNever;
  if (cut_ != CutOff::None || paused_since_) return;
  const auto at_most = [&](Nanoseconds left) {
    due_ = std::min(due_, now + std::max(left, kShortestNap));
  };
  if (limits_.cpu_time) at_most((*limits_.cpu_time + kInitShare - cpu) / cores_);
  if (limits_.wall_time) {
    const Nanoseconds wall = wall_used(now);
    const Nanoseconds left = *limits_.wall_time - (wall - starved_of(wall, cpu));
    at_most(std::max(left, Nanoseconds(patient_until_ - now)));
  }
  if (limits_.idle_time) {
    if (!waits_) at_most(*limits_.idle_time - (now - progress_at_));
    at_most(*limits_.idle_time / 8);
  }
}

void Watched::check_idle(Clock::time_point now, Nanoseconds cpu) {
  const auto start = box_->started();
  if (start) progress_at_ = std::max(progress_at_, Clock::time_point(Nanoseconds(start->at_ns)));
  bool goes_on = !start || cpu - progress_cpu_ >= kNoise;
  // Near a cpu limit the meter is read much oftener than the launcher should be asked.
  if (!goes_on && now - std::max(progress_at_, asked_at_) >= *limits_.idle_time / 16) {
    asked_at_ = now;
    goes_on = would_go_on();
  }
  if (goes_on) {
    progress_cpu_ = cpu;
    progress_at_ = now;
    waits_ = idles_ = false;
  } else if (now - progress_at_ >= *limits_.idle_time) {
    waits_ = spec_->idle_together;
    idles_ = !waits_;
  }
}

void Watched::stirred(Clock::time_point now) {
  if (!spec_->idle_together) return;
  waits_ = false;
  progress_at_ = now;
}

// Progress is noticed an eighth of the limit late at most: that is how often it is looked for, and
// whether it would go on.
void Watched::join_idle(Clock::time_point now) {
  if (is_over() || cut_ != CutOff::None || paused_since_ || !limits_.idle_time) return;
  if (idles_) return cut_off(CutOff::Idle);
  if (!box_->started() || cpu_used() - progress_cpu_ >= kNoise) return;
  if (now - progress_at_ >= *limits_.idle_time * 7 / 8 - kNoise) cut_off(CutOff::Idle);
}

void Watched::check(Clock::time_point now) {
  if (is_over() || cut_ != CutOff::None || paused_since_) return;
  // A child that the kernel killed for memory came first, even if its parent goes on until it is
  // late.
  if (box_->leaf().oom_kills() > 0) return cut_off(CutOff::Memory);
  const Nanoseconds cpu = cpu_used();
  if (limits_.cpu_time && cpu > *limits_.cpu_time + kInitShare) {
    cpu_at_cut_ = cpu;
    cut_off(CutOff::Cpu);
  } else if (is_late(now) && now >= patient_until_) {
    cut_off(CutOff::Wall);
  } else if (limits_.idle_time) {
    check_idle(now, cpu);
  }
  schedule(now, cpu);
}

void Watched::look_at_streams() {
  if (streams_.tend(limits_)) cut_off(CutOff::Output);
}

Status Watched::hear() {
  if (auto ended = TRY(box_->take_ended())) ended_ = *ended;
  if (ended_ && ended_->kind == inside::EndKind::NotStarted && ended_->step == inside::Step::PutIn)
    missing_file_ = explain_put_in(*ended_, *spec_);
  return {};
}

// The first cause counts. Frozen processes on cgroup v1 do not die before they are thawed.
void Watched::cut_off(CutOff why) {
  if (is_over() || cut_ != CutOff::None) return;
  cut_ = why;
  killed_at_ = Clock::now();
  box_->kill_run();
  // A box that could not be told is given up at once: its end is the program's, too.
  due_ = box_->is_odd() ? killed_at_ : killed_at_ + kKillPatience;
  if (paused_since_) pause(false, killed_at_);
}

void Watched::pause(bool paused, Clock::time_point now) {
  if (is_over() || paused == paused_since_.has_value()) return;
  if (paused && cut_ != CutOff::None) return;  // what is to die must not be frozen
  if (!box_->leaf().freeze(paused)) box_->stop(paused);
  if (paused) {
    paused_since_ = now;
  } else {
    const Nanoseconds stood = now - *paused_since_;
    paused_total_ += stood;
    progress_at_ += stood;
    paused_since_.reset();
  }
  if (cut_ == CutOff::None) schedule(now, cpu_used());
}

bool Watched::is_lost(Clock::time_point now) const {
  return !is_over() && cut_ != CutOff::None && (box_->is_odd() || now - killed_at_ > kKillPatience);
}

Nanoseconds Watched::dying() const {
  if (cut_ == CutOff::None || !ended_ || ended_->ended_ns == 0) return {};
  return std::max(Clock::time_point(Nanoseconds(ended_->ended_ns)) - killed_at_, Nanoseconds{});
}

void Watched::give_up() {
  box_died_ = true;
  inside::Ended ended{};
  ended.kind = inside::EndKind::Killed;
  ended.status = SIGKILL;
  ended_ = ended;
}

void Watched::never_starts(FileError why) {
  missing_file_ = std::move(why);
  ended_ = inside::Ended{};
}

Usage Watched::usage(Clock::time_point now) {
  Usage usage;
  usage.running = !is_over();
  usage.paused = paused_since_.has_value();
  if (is_over()) return usage;
  usage.cpu = cpu_used();
  usage.wall = std::max(wall_used(now), Nanoseconds{});
  usage.memory_now = box_->leaf().memory_now();
  const Leaf::Peaks peaks = box_->leaf().memory_peaks();
  usage.memory_peak = peaks.run;
  usage.section_peak = peaks.section;
  return usage;
}

void Watched::begin_section() {
  if (!is_over()) box_->leaf().begin_section();
}

}  // namespace assay::sandbox
