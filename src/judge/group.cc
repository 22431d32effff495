#include "judge/group.h"

#include <algorithm>

#include "judge/group_ends.h"
#include "judge/switchboard.h"

namespace assay::judge {
namespace {

sandbox::StreamFacts& facts_at(sandbox::Facts& facts, unsigned descriptor) {
  if (facts.streams.size() <= descriptor) facts.streams.resize(descriptor + 1);
  return facts.streams[descriptor];
}

void give_cores(const Cores::Lease* lease, std::vector<sandbox::Spec>& programs) {
  if (lease == nullptr || lease->places.empty()) return;
  for (std::size_t i = 0; i < programs.size(); ++i)
    if (programs[i].cores.empty()) programs[i].cores = lease->places[i % lease->places.size()];
}

void add_bytes(const Group& group, GroupRun& run) {
  for (std::size_t i = 0; i < group.channels.size(); ++i) {
    const Channel::End& writer = group.channels[i].writer;
    sandbox::Facts& facts = run.facts[writer.program];
    facts_at(facts, writer.descriptor) = {.bytes = run.channels[i].bytes,
                                          .over_limit = run.channels[i].over_limit};
    if (writer.descriptor == 1) facts.output = facts.streams[1];
    if (writer.descriptor == 2) facts.errors = facts.streams[2];
  }
}

CoreWish wish_of(const std::vector<sandbox::Spec>& programs) {
  CoreWish wish{.places = static_cast<unsigned>(programs.size())};
  for (const sandbox::Spec& spec : programs)
    wish.memory.count += spec.limits.memory.value_or(Bytes{}).count;
  return wish;
}

// Nobody was told what somebody said when the others were ended already: one that lost its partner
// first may have emptied its buffers before its own end.
void forget_last_words(std::vector<exec::Relay::Counts>& channels,
                       std::chrono::steady_clock::time_point since) {
  for (exec::Relay::Counts& channel : channels) {
    if (channel.last_at <= since) continue;
    channel.unread = 0;
    channel.last_at = since;
  }
}

}  // namespace

Result<GroupRun> run_group(sandbox::Sandbox& engine, Group group, Cancellation& cancellation) {
  const auto lease = cancellation.borrow(wish_of(group.programs));
  give_cores(lease.get(), group.programs);
  const auto begun = std::chrono::steady_clock::now();
  if (group.transcript != nullptr) group.transcript->begin();
  sandbox::Control control;
  GroupEnds ends(group, control);
  Switchboard switchboard(group, ends, control);
  control.when_ended([&](std::size_t program, const sandbox::End& end, sandbox::CutOff cut) {
    ends.note(program, end, cut);
    switchboard.ended(program);
  });
  std::optional<std::chrono::steady_clock::time_point> deadlock;
  control.when_all_wait([&] {
    if (switchboard.is_at_work()) return true;
    if (!deadlock) {  // asked again before the first is dead, it is the same one
      switchboard.note_unheard();
      deadlock = std::chrono::steady_clock::now();
    }
    return false;
  });
  Result<std::vector<sandbox::Facts>> facts;
  if (Status connected = switchboard.connect(); !connected)
    facts = std::unexpected(std::move(connected).error());
  else
    facts = cancellation.run_together(engine, group.programs, control);
  ends.note_all();
  GroupRun run{.begun = begun};
  switchboard.finish(run);
  if (deadlock) forget_last_words(run.channels, *deadlock);
  run.facts = TRY(std::move(facts));
  if (deadlock) switchboard.recall_unheard(run);
  run.told = ends.told();
  run.after = ends.after();
  add_bytes(group, run);
  return run;
}

}  // namespace assay::judge
