#include "judge/group_ends.h"

namespace assay::judge {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// A stream closes with its program, and the word of the program's end comes a moment later. What is
// still unknown after this long has closed the stream and goes on.
constexpr auto kWordOfEnd = 200ms;
// What a program that has read all may still need to decide, on a machine with other work.
constexpr auto kDecision = 100ms;
constexpr auto kLongestDecision = 1s;
constexpr auto kLook = 5ms;

}  // namespace

GroupEnds::GroupEnds(const Group& group, sandbox::Control& control)
    : group_(group),
      control_(control),
      ended_(group.programs.size()),
      told_(ended_.size(), std::vector<bool>(ended_.size(), false)),
      known_(ended_.size(), false),
      after_(told_) {}

void GroupEnds::note(std::size_t program, const sandbox::End& end, sandbox::CutOff cut_off_by) {
  const Aftermath aftermath =
      group_.aftermath ? group_.aftermath(program, end, cut_off_by) : Aftermath::Nothing;
  const Lock held(mutex_);
  ended_[program] = aftermath;
  after_[program] = known_;
  changed_.notify_all();
  if (aftermath != Aftermath::EndOthers || group_.grace > Nanoseconds{}) return;
  for (std::size_t i = 0; i < ended_.size(); ++i)
    if (!ended_[i]) control_.cut_off(i, sandbox::CutOff::Peer);
}

void GroupEnds::note_all() {
  const Lock held(mutex_);
  for (auto& each : ended_)
    if (!each) each = Aftermath::Nothing;
  changed_.notify_all();
}

void GroupEnds::await_end(Lock& held, std::size_t program) {
  changed_.wait_for(held, kWordOfEnd, [&] { return ended_[program].has_value(); });
}

// Until it has ended, or has had the time to after it read all that there was.
void GroupEnds::let_decide(Lock& held, std::size_t reader, int pipe) {
  const auto last = Clock::now() + kLongestDecision;
  auto read_all_at = Clock::now();
  while (!ended_[reader] && Clock::now() < last && Clock::now() < read_all_at + kDecision) {
    if (exec::unread_in(pipe) > 0) read_all_at = Clock::now();
    changed_.wait_for(held, kLook);
  }
}

void GroupEnds::before_end(std::size_t writer, std::size_t reader, int pipe) {
  Lock held(mutex_);
  await_end(held, writer);
  if (ended_[writer] == Aftermath::LetDecide) let_decide(held, reader, pipe);
  if (ended_[writer] == Aftermath::EndOthers && !ended_[reader]) {
    changed_.wait_for(held, group_.grace, [&] { return ended_[reader].has_value(); });
    if (!ended_[reader]) control_.cut_off(reader, sandbox::CutOff::Peer);
  }
  if (ended_[writer] && !ended_[reader]) told_[reader][writer] = known_[writer] = true;
}

void GroupEnds::before_break(std::size_t reader) {
  Lock held(mutex_);
  await_end(held, reader);
}

}  // namespace assay::judge
