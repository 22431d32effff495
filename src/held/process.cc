#include "held/process.h"

#include <algorithm>

namespace assay::held {

using sandbox::Section;

Remote remote_of(sandbox::Control& control) {
  return {.usage = [&control](Section section) { return control.usage(section); },
          .cancel =
              [&control](sandbox::CutOff why) {
                control.cancel(why);
              }};
}

void Process::ended(Result<Ended> ended) {
  const std::lock_guard guard(lock_);
  ended_ = std::move(ended);
  over_.notify_all();
}

bool Process::is_over() {
  const std::lock_guard guard(lock_);
  return ended_.has_value();
}

bool Process::await_end(Nanoseconds patience) {
  std::unique_lock guard(lock_);
  return over_.wait_for(guard, patience, [&] { return ended_.has_value(); });
}

std::optional<Error> Process::failure() {
  const std::lock_guard guard(lock_);
  if (!ended_ || *ended_) return std::nullopt;
  return ended_->error();
}

void Process::fill_ended(Reading& reading) const {
  reading.running = false;
  reading.memory_now = {};
  if (!*ended_) {
    reading.text = describe_no_start(describe(ended_->error()));
    return;
  }
  const Ended& ended = **ended_;
  if (!ended.facts) {
    reading.text = describe_no_start(ended.no_start);
    return;
  }
  reading.facts = ended.facts;
  reading.cpu = ended.facts->cpu_total;
  reading.wall = ended.facts->wall;
  reading.memory_peak = ended.facts->memory_peak;
  reading.section_peak = ended.facts->section_peak;
  reading.text = describe_end(*ended.facts);
  reading.forced = was_forced(*ended.facts);
}

// Without an answer there is no program yet, or no longer: what was known last still holds.
void Process::fill_live(Reading& reading, Section section) {
  const std::vector<sandbox::Usage> usage = remote_.usage(section);
  if (usage.empty() || !usage.front().running) return;
  const sandbox::Usage& now = usage.front();
  reading.cpu = now.cpu;
  reading.wall = now.wall;
  reading.memory_now = now.memory_now;
  reading.memory_peak = now.memory_peak;
  reading.section_peak = now.section_peak;
}

// A meter that is read from another core may lag, and the final figure leaves out what our own init
// used of it: the owner takes differences, so none may be negative.
Reading Process::read(Section section) {
  const std::lock_guard asking(asking_);
  Reading reading = last_;
  if (!is_over()) fill_live(reading, section);
  {
    const std::lock_guard guard(lock_);
    if (ended_) fill_ended(reading);
  }
  // Whole microseconds, so that the sections add up to the total that clients see.
  reading.cpu =
      std::max<Nanoseconds>(std::chrono::floor<std::chrono::microseconds>(reading.cpu), last_.cpu);
  reading.wall = std::max(reading.wall, last_.wall);
  reading.memory_peak = std::max(reading.memory_peak, last_.memory_peak);
  reading.section = sections_;
  reading.section_cpu = reading.cpu - section_began_;
  if (!last_.running) reading.section_peak = Bytes{};
  last_ = reading;
  if (section == Section::GoesOn) return reading;
  ++sections_;
  section_began_ = reading.cpu;
  return reading;
}

Reading Process::wait() {
  return read(Section::Begins);
}

Reading Process::look() {
  return read(Section::GoesOn);
}

Reading Process::terminate() {
  if (!await_end(grace_)) remote_.cancel(sandbox::CutOff::Terminated);
  {
    std::unique_lock guard(lock_);
    over_.wait(guard, [&] { return ended_.has_value(); });
  }
  return wait();
}

}  // namespace assay::held
