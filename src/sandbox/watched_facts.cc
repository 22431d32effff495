// What is known of a program that is over.
#include <signal.h>

#include <algorithm>

#include "sandbox/steps.h"
#include "sandbox/watch.h"

namespace assay::sandbox {

// V1 has a meter for each. What a program had that was alone, init knows as well, which reaped it:
// two reads less. Where others were, children that nobody waited for are in the meters only.
CpuTimes Watched::cpu_times(const Facts& facts) const {
  const Leaf& leaf = box_->leaf();
  const bool reaped = ended_->user_ns + ended_->system_ns > 0;
  if (!leaf.has(inside::LeafFile::CpuUser) || facts.processes_peak != 1 || !reaped)
    return leaf.cpu();
  return {.total = leaf.cpu_total(),
          .user = Nanoseconds(ended_->user_ns),
          .system = Nanoseconds(ended_->system_ns)};
}

void Watched::fill_cpu(Facts& facts) const {
  if (!box_->has_meters()) {
    facts.cpu_user = Nanoseconds(ended_->user_ns);
    facts.cpu_system = Nanoseconds(ended_->system_ns);
    facts.cpu_total = facts.cpu_user + facts.cpu_system;
    return;
  }
  // What init itself used of the meter since the program started is not the program's.
  const CpuTimes meter = cpu_times(facts);
  const bool init_in_meter = box_->leaf().has(inside::LeafFile::CpuUser);
  const Nanoseconds init(init_in_meter ? ended_->init_cpu_ns : 0);
  facts.cpu_total = std::max(meter.total - Nanoseconds(ended_->cpu_base_ns) - init, Nanoseconds{});
  const double share = meter.user + meter.system > Nanoseconds{}
                           ? static_cast<double>(meter.user.count()) /
                                 static_cast<double>((meter.user + meter.system).count())
                           : 0;
  facts.cpu_user =
      Nanoseconds(static_cast<std::int64_t>(static_cast<double>(facts.cpu_total.count()) * share));
  facts.cpu_system = facts.cpu_total - facts.cpu_user;
}

// Init may have used more of the meter than was thought. Whoever ended within the limit was not cut
// off, although we meant to; whoever was killed is told the time for which that was.
void Watched::agree_on_cpu(Facts& facts) const {
  if (facts.cut_off_by != CutOff::Cpu || facts.cpu_total > *limits_.cpu_time) return;
  if (!std::holds_alternative<Signaled>(facts.end)) {
    facts.cut_off_by = CutOff::None;
    return;
  }
  facts.cpu_total = std::max(facts.cpu_total, cpu_at_cut_);
  facts.cpu_system = facts.cpu_total - facts.cpu_user;
}

// Likewise: it may have ended by itself before we came to kill it.
void Watched::agree_on_wall(Facts& facts) const {
  if (facts.cut_off_by != CutOff::Wall || std::holds_alternative<Signaled>(facts.end)) return;
  if (facts.wall - facts.starved <= *limits_.wall_time) facts.cut_off_by = CutOff::None;
}

void Watched::fill_memory(Facts& facts) {
  Leaf& leaf = box_->leaf();
  facts.memory_meter = leaf.memory_meter();
  const Leaf::Peaks peaks = leaf.memory_peaks();
  facts.memory_peak =
      leaf.has(inside::LeafFile::MemoryPeak) ? peaks.run : Bytes{ended_->max_rss_kib << 10};
  facts.rss_peak = Bytes{ended_->program_rss_kib << 10};
  facts.section_peak = peaks.section;
  facts.oom_kills = leaf.oom_kills();
  facts.processes_refused = leaf.processes_refused();
  if (facts.oom_kills > 0 && facts.cut_off_by == CutOff::None) facts.cut_off_by = CutOff::Memory;
}

End Watched::end() const {
  using inside::EndKind;
  if (missing_file_)
    return NotStarted{std::string(kPutIn), missing_file_->name, missing_file_->error};
  switch (ended_->kind) {
    case EndKind::Exited:
      return Exited{ended_->status};
    case EndKind::Signaled:
      return Signaled{ended_->status, false};
    case EndKind::Dumped:
      return Signaled{ended_->status, true};
    case EndKind::Forbidden:
      return Forbidden{ended_->status};
    case EndKind::NotStarted:
      return explain_not_started(*ended_, *spec_);
    case EndKind::Killed:
      break;
  }
  return Signaled{SIGKILL, false};
}

Result<Facts> Watched::facts() {
  // Our failure, not the program's: a box does not die of what runs in it.
  if (box_died_)
    return system_error(0, "box " + std::to_string(box_->number()) + " died while the program ran");
  Facts facts;
  facts.cut_off_by = cut_;
  facts.limits = limits_;
  facts.box = box_->mode();
  facts.missing = box_->missing();
  if (missing_file_) {
    facts.end = end();
    facts.file_errors.push_back(*missing_file_);
    return facts;
  }
  TRY_STATUS(streams_.finish(limits_));
  streams_.fill(facts);
  facts.end = end();
  facts.processes_peak = box_->leaf().processes_peak();
  fill_cpu(facts);
  agree_on_cpu(facts);
  fill_memory(facts);
  TRY_STATUS(box_->leaf().was_read());
  if (ended_->started_ns != 0 && ended_->ended_ns > ended_->started_ns)
    facts.wall = Nanoseconds(ended_->ended_ns - ended_->started_ns) - paused_total_;
  fill_starved(facts);
  agree_on_wall(facts);
  facts.file_over_limit = ended_->file_over_limit != 0;
  facts.slept = cut_ == CutOff::Idle && slept_;
  facts.switches_voluntary = ended_->switches_voluntary;
  facts.switches_forced = ended_->switches_forced;
  if (facts.cut_off_by == CutOff::None &&
      std::ranges::any_of(streams_.collectors(), &Collector::breaks_limit))
    facts.cut_off_by = CutOff::Output;
  return facts;
}

}  // namespace assay::sandbox
