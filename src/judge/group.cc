#include "judge/group.h"

#include <fcntl.h>

#include <algorithm>
#include <list>
#include <memory>

#include "exec/fifo.h"
#include "judge/group_ends.h"

namespace assay::judge {
namespace {

// A program may say so much before the other begins to read; the kernel may allow less.
constexpr int kPipeSize = 1 << 20;
// More than that, and it waits: the memory is ours, and shared by all channels of a group.
constexpr Bytes kBacklog = 32_MiB;
constexpr Bytes kLeastBacklog = 1_MiB;

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
  std::unique_ptr<exec::FifoSource> source{};  // where the program opens its end itself
  std::unique_ptr<exec::FifoSink> sink{};
  std::unique_ptr<exec::Relay> relay{};
};

class Switchboard {
 public:
  Switchboard(Group& group, GroupEnds& ends, sandbox::Control& control)
      : group_(group), ends_(ends), control_(control) {
    const auto joined = std::ranges::count_if(
        group.channels, [](const Channel& channel) { return channel.reader.has_value(); });
    const auto shared = kBacklog.count / static_cast<std::uint64_t>(std::max<long>(joined, 1));
    backlog_ = Bytes{std::max(kLeastBacklog.count, shared)};
  }

  Status connect() {
    for (const Channel& channel : group_.channels)
      TRY_STATUS(connect(channel));
    return {};
  }

  // The watcher: what it has not opened it never will.
  void ended(std::size_t program) {
    for (Line& line : lines_) {
      if (line.source && line.channel->writer.program == program) line.source->writer_has_gone();
      if (line.sink && line.channel->reader->program == program) line.sink->reader_has_gone();
    }
  }

  // The watcher: programs may wait for what a relay has in its hands.
  [[nodiscard]] bool is_at_work() const {
    return std::ranges::any_of(
        lines_, [](const Line& line) { return line.relay != nullptr && line.relay->is_at_work(); });
  }

  std::vector<exec::Relay::Counts> finish() {
    std::vector<exec::Relay::Counts> counts;
    for (std::size_t i = 0; i < group_.programs.size(); ++i)
      ended(i);
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
    Line& line = lines_.emplace_back();
    line.channel = &channel;
    const std::size_t writer = channel.writer.program;
    os::OwnedFd source = TRY(source_of(line));
    exec::Relay::Plan plan{.source = std::move(source),
                           .cores = group_.programs[writer].cores,
                           .limit = channel.limit,
                           .backlog = backlog_,
                           .reader_gone = channel.reader_gone};
    if (channel.voice) plan.transcript = group_.transcript;
    plan.voice = channel.voice.value_or(0);
    if (!channel.discard_rest)
      plan.over_limit = [this, writer] {
        control_.cut_off(writer, sandbox::CutOff::Output);
      };
    if (channel.reader) {
      const std::size_t reader = channel.reader->program;
      plan.sink = TRY(sink_of(line));
      plan.before_end = [this, writer, reader](int pipe) {
        ends_.before_end(writer, reader, pipe);
      };
      plan.before_break = [this, reader] {
        ends_.before_break(reader);
      };
    } else if (channel.sink >= 0) {
      plan.sink = TRY(os::duplicate(channel.sink));
    }
    plan.before_begin = [&line](exec::Relay::Plan& begun) {
      begin(line, begun);
    };
    line.relay = TRY(exec::Relay::start(std::move(plan)));
    return {};
  }

  // Ours, and the program's in its spec.
  Result<os::OwnedFd> source_of(Line& line) {
    const Channel::End& end = line.channel->writer;
    stream_at(group_.programs[end.program], end.descriptor) = sandbox::Handed{&line.writer_end};
    if (!end.named) {
      os::Pipe pipe = TRY(make_long_pipe());
      line.writer_end = std::move(pipe.write_end);
      return std::move(pipe.read_end);
    }
    exec::Fifo fifo = TRY(exec::Fifo::make());
    line.source = std::make_unique<exec::FifoSource>(TRY(exec::FifoSource::open(std::move(fifo))));
    line.writer_end = TRY(line.source->fifo().share());
    return os::OwnedFd();
  }

  Result<os::OwnedFd> sink_of(Line& line) {
    const Channel::End& end = *line.channel->reader;
    stream_at(group_.programs[end.program], end.descriptor) = sandbox::Handed{&line.reader_end};
    if (!end.named) {
      os::Pipe pipe = TRY(make_long_pipe());
      line.reader_end = std::move(pipe.read_end);
      return std::move(pipe.write_end);
    }
    line.sink = std::make_unique<exec::FifoSink>(TRY(exec::Fifo::make()));
    line.reader_end = TRY(line.sink->fifo().share());
    return os::OwnedFd();
  }

  // First the reader: what is read before there is one would have nowhere to go.
  static void begin(Line& line, exec::Relay::Plan& plan) {
    if (line.sink)
      if (auto end = line.sink->await_reader()) plan.sink = *std::move(end);
    if (line.source) plan.source = line.source->await_writer();
  }

  Group& group_;
  GroupEnds& ends_;
  sandbox::Control& control_;
  Bytes backlog_{};        // of each
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
    deadlock = std::chrono::steady_clock::now();
    return false;
  });
  Result<std::vector<sandbox::Facts>> facts;
  if (Status connected = switchboard.connect(); !connected)
    facts = std::unexpected(std::move(connected).error());
  else
    facts = cancellation.run_together(engine, group.programs, control);
  ends.note_all();
  GroupRun run{.begun = begun, .channels = switchboard.finish()};
  if (deadlock) forget_last_words(run.channels, *deadlock);
  run.facts = TRY(std::move(facts));
  run.told = ends.told();
  run.after = ends.after();
  add_bytes(group, run);
  return run;
}

}  // namespace assay::judge
