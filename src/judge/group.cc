#include "judge/group.h"

#include <fcntl.h>

#include <list>
#include <memory>

#include "judge/group_ends.h"

namespace assay::judge {
namespace {

// A program may say so much before the other begins to read; the kernel may allow less.
constexpr int kPipeSize = 1 << 20;
// More than that, and it waits: the memory is ours.
constexpr Bytes kBacklog = 16_MiB;

sandbox::Stream& stream_at(sandbox::Spec& spec, unsigned descriptor) {
  if (descriptor == 0) return spec.input;
  if (descriptor == 1) return spec.output;
  if (descriptor == 2) return spec.errors;
  if (spec.more_streams.size() < descriptor - 2) spec.more_streams.resize(descriptor - 2);
  return spec.more_streams[descriptor - 3];
}

sandbox::StreamFacts& facts_at(sandbox::Facts& facts, unsigned descriptor) {
  if (facts.streams.size() <= descriptor) facts.streams.resize(descriptor + 1);
  return facts.streams[descriptor];
}

Result<os::Pipe> make_long_pipe() {
  os::Pipe pipe = TRY(os::make_open_pipe());
  (void)::fcntl(pipe.read_end.get(), F_SETPIPE_SZ, kPipeSize);  // a matter of comfort only
  return pipe;
}

// A channel with both its pipes: the program's ends, and those of the relay.
struct Line {
  const Channel* channel = nullptr;
  os::OwnedFd writer_end{}, reader_end{};
  std::unique_ptr<exec::Relay> relay{};
};

class Switchboard {
 public:
  Switchboard(Group& group, GroupEnds& ends, sandbox::Control& control)
      : group_(group), ends_(ends), control_(control) {}

  Status connect() {
    for (const Channel& channel : group_.channels)
      TRY_STATUS(connect(channel));
    return {};
  }

  std::vector<exec::Relay::Counts> finish() {
    std::vector<exec::Relay::Counts> counts;
    // An end whose program never started is still ours: no relay must wait for it.
    for (Line& line : lines_) {
      line.writer_end.reset();
      line.reader_end.reset();
    }
    for (Line& line : lines_) {
      if (line.relay == nullptr) continue;
      (void)line.relay->finish();
      counts.push_back(line.relay->counts());
    }
    return counts;
  }

 private:
  Status connect(const Channel& channel) {
    os::Pipe from = TRY(make_long_pipe());
    Line& line = lines_.emplace_back();
    line.channel = &channel;
    line.writer_end = std::move(from.write_end);
    const std::size_t writer = channel.writer.program;
    sandbox::Spec& writes = group_.programs[writer];
    stream_at(writes, channel.writer.descriptor) = sandbox::Handed{&line.writer_end};
    exec::Relay::Plan plan{.source = std::move(from.read_end),
                           .cores = writes.cores,
                           .limit = channel.limit,
                           .backlog = kBacklog,
                           .reader_gone = channel.reader_gone};
    if (channel.voice) plan.transcript = group_.transcript;
    plan.voice = channel.voice.value_or(0);
    plan.over_limit = [this, writer] {
      control_.cut_off(writer, sandbox::CutOff::Output);
    };
    if (channel.reader) {
      const std::size_t reader = channel.reader->program;
      os::Pipe to = TRY(make_long_pipe());
      line.reader_end = std::move(to.read_end);
      plan.sink = std::move(to.write_end);
      stream_at(group_.programs[reader], channel.reader->descriptor) =
          sandbox::Handed{&line.reader_end};
      plan.before_end = [this, writer, reader](int pipe) {
        ends_.before_end(writer, reader, pipe);
      };
      plan.before_break = [this, reader] {
        ends_.before_break(reader);
      };
    } else if (channel.sink >= 0) {
      plan.sink = TRY(os::duplicate(channel.sink));
    }
    line.relay = std::make_unique<exec::Relay>(std::move(plan));
    return {};
  }

  Group& group_;
  GroupEnds& ends_;
  sandbox::Control& control_;
  std::list<Line> lines_;  // a list: specs point into it
};

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

}  // namespace

Result<GroupRun> run_group(sandbox::Sandbox& engine, Group group, Cancellation& cancellation) {
  const auto lease = cancellation.borrow(wish_of(group.programs));
  give_cores(lease.get(), group.programs);
  sandbox::Control control;
  GroupEnds ends(group, control);
  control.when_ended([&](std::size_t program, const sandbox::End& end, sandbox::CutOff cut) {
    ends.note(program, end, cut);
  });
  Switchboard switchboard(group, ends, control);
  Result<std::vector<sandbox::Facts>> facts;
  if (Status connected = switchboard.connect(); !connected)
    facts = std::unexpected(std::move(connected).error());
  else
    facts = cancellation.run_together(engine, group.programs, control);
  ends.note_all();
  GroupRun run{.channels = switchboard.finish()};
  run.facts = TRY(std::move(facts));
  run.told = ends.told();
  add_bytes(group, run);
  return run;
}

}  // namespace assay::judge
