// Wall time, and whose it is (decision 18). What a program is judged by must not depend on its
// neighbours: the time for which it would have run and got no cpu is not its own, nor that of those
// it waits for. The limit on cpu time, and in the end kMostPatience, still end it.
//
// The kernel adds to what a thread has waited when the wait is over. Of one that waits now it says
// only that it is ready to run, as it does of one that runs. So two looks are taken, further apart
// than the ticks at which the cpu meter moves: who is ready and does not move waits.
#include <algorithm>

#include "sandbox/watch.h"

namespace assay::sandbox {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kGlimpse = 6ms;  // a tick is 4 ms at most where the engine was measured
constexpr int kMostPatience = 9;       // times the limit

}  // namespace

inside::Awaits Watched::awaits() {
  const auto standing = box_->standing();
  if (standing) note_wanted(Nanoseconds(standing->wanted_ns), cpu_used());
  slept_ = standing && standing->sleeps != 0;
  return standing ? standing->awaits : inside::Awaits::Other;
}

// What a thread wanted and did not get while nobody of its own ran: threads that are in each
// other's way starve nobody but themselves.
void Watched::note_wanted(Nanoseconds wanted, Nanoseconds cpu) {
  starved_ = std::max(starved_, wanted - cpu);
}

bool Watched::would_go_on() {
  return awaits() != inside::Awaits::Other;
}

// No more than it did not run.
Nanoseconds Watched::starved_of(Nanoseconds wall, Nanoseconds cpu) const {
  if (!limits_.wall_time || limits_.cpu_permille) return {};  // one with a quota is to wait
  return std::clamp(wall - cpu, Nanoseconds{}, starved_ + others_starved_ + unwatched_);
}

bool Watched::is_late(Clock::time_point now) {
  if (is_over() || cut_ != CutOff::None || paused_since_ || !limits_.wall_time) return false;
  const Nanoseconds wall = wall_used(now);
  return wall / (kMostPatience + 1) > *limits_.wall_time ||
         wall - starved_of(wall, cpu_used()) >= *limits_.wall_time;
}

// One that has not started may be waiting for a cpu to do so.
Watched::Standing Watched::look(Clock::time_point now) {
  if (is_over() || cut_ != CutOff::None) return Standing::Sleeps;
  if (!box_->started()) return Standing::Starves;
  // Where its call cannot be read, whoever vforks seems to wait for a device.
  if (awaits() != inside::Awaits::Cpu || limits_.cpu_permille) {
    seen_at_ = {};
    return Standing::Sleeps;
  }
  if (seen_at_ != Clock::time_point{} && now - seen_at_ < kGlimpse) return Standing::Unsure;
  const Nanoseconds cpu = cpu_used();
  const auto before = std::exchange(seen_at_, now);
  const Nanoseconds moved = cpu - std::exchange(seen_cpu_, cpu);
  if (before == Clock::time_point{}) return Standing::Unsure;
  return moved * 4 >= now - before ? Standing::Runs : Standing::Starves;
}

void Watched::be_patient(Clock::time_point now, Standing worst) {
  if (wall_used(now) / (kMostPatience + 1) > *limits_.wall_time) return;
  const bool starves = worst == Standing::Starves;
  was_patient_ = was_patient_ || starves;
  patient_until_ = now + (starves ? std::max(kGlimpse, *limits_.wall_time / 16) : kGlimpse);
}

// Whoever ended while we were patient with it ended in time. Of one that was late the facts say
// what was known when it was cut off: that it had to wait for a cpu to die explains nothing.
void Watched::fill_starved(Facts& facts) {
  if (cut_ != CutOff::Wall) note_wanted(Nanoseconds(ended_->wanted_ns), facts.cpu_total);
  facts.starved = starved_of(facts.wall, facts.cpu_total);
  if (was_patient_ && cut_ == CutOff::None)
    facts.starved = std::max(facts.starved, facts.wall - *limits_.wall_time);
}

}  // namespace assay::sandbox
