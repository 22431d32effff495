#include "judge/switchboard.h"

#include <fcntl.h>

#include <algorithm>

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

Result<os::Pipe> make_long_pipe() {
  os::Pipe pipe = TRY(os::make_open_pipe());
  (void)::fcntl(pipe.read_end.get(), F_SETPIPE_SZ, kPipeSize);  // a matter of comfort only
  return pipe;
}

}  // namespace

Switchboard::Switchboard(Group& group, GroupEnds& ends, sandbox::Control& control)
    : group_(group), ends_(ends), control_(control) {
  const auto joined = std::ranges::count_if(
      group.channels, [](const Channel& channel) { return channel.reader.has_value(); });
  const auto shared = kBacklog.count / static_cast<std::uint64_t>(std::max<long>(joined, 1));
  backlog_ = Bytes{std::max(kLeastBacklog.count, shared)};
}

Status Switchboard::connect() {
  for (const Channel& channel : group_.channels)
    TRY_STATUS(connect(channel));
  return {};
}

void Switchboard::ended(std::size_t program) {
  for (Line& line : lines_) {
    if (line.source && line.channel->writer.program == program) line.source->writer_has_gone();
    if (!line.channel->reader || line.channel->reader->program != program) continue;
    if (line.sink) line.sink->reader_has_gone();
    if (line.keyboard) line.keyboard->reader_has_gone();
  }
}

bool Switchboard::is_at_work() const {
  return std::ranges::any_of(
      lines_, [](const Line& line) { return line.relay != nullptr && line.relay->is_at_work(); });
}

void Switchboard::note_unheard() {
  for (Line& line : lines_)
    if (line.sink) line.unheard = line.sink->unheard(line.source_end);
}

void Switchboard::recall_unheard(GroupRun& run) const {
  std::size_t i = 0;
  for (const Line& line : lines_)
    if (exec::Relay::Counts& counts = run.channels.at(i++); line.unheard > 0)
      counts.unread = line.unheard;
}

void Switchboard::finish(GroupRun& run) {
  for (std::size_t i = 0; i < group_.programs.size(); ++i)
    ended(i);
  // An end whose program never started is still ours: no relay must wait for it.
  for (Line& line : lines_) {
    line.writer_end.reset();
    line.reader_end.reset();
  }
  for (Line& line : lines_) {
    if (line.relay == nullptr) continue;
    run.kept.push_back(line.relay->finish());
    run.channels.push_back(line.relay->counts());
    if (line.keyboard) run.channels.back().unread += line.keyboard->unread();
  }
}

Status Switchboard::connect(const Channel& channel) {
  Line& line = lines_.emplace_back();
  line.channel = &channel;
  const std::size_t writer = channel.writer.program;
  os::OwnedFd source = TRY(source_of(line));
  line.source_end = line.source ? line.source->end() : source.get();
  exec::Relay::Plan plan{.source = std::move(source),
                         .keep = channel.keep,
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
    plan.before_end = [this, &line, writer, reader](int pipe) {
      ends_.before_end(writer, reader, pipe);
      if (line.keyboard) line.keyboard->end(pipe);
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

Result<os::OwnedFd> Switchboard::source_of(Line& line) {
  const Channel::End& end = line.channel->writer;
  stream_at(group_.programs[end.program], end.descriptor) = sandbox::Handed{&line.writer_end};
  if (end.as == Channel::As::Terminal) {
    exec::Terminal screen = TRY(exec::make_screen());
    line.writer_end = std::move(screen.slave);
    return std::move(screen.master);
  }
  if (end.as == Channel::As::Pipe) {
    os::Pipe pipe = TRY(make_long_pipe());
    line.writer_end = std::move(pipe.write_end);
    return std::move(pipe.read_end);
  }
  exec::Fifo fifo = TRY(exec::Fifo::make());
  line.source = std::make_unique<exec::FifoSource>(TRY(exec::FifoSource::open(std::move(fifo))));
  line.writer_end = TRY(line.source->fifo().share());
  return os::OwnedFd();
}

Result<os::OwnedFd> Switchboard::sink_of(Line& line) {
  const Channel::End& end = *line.channel->reader;
  stream_at(group_.programs[end.program], end.descriptor) = sandbox::Handed{&line.reader_end};
  if (end.as == Channel::As::Terminal) {
    line.keyboard = TRY(exec::Keyboard::make());
    line.reader_end = line.keyboard->take_slave();
    return line.keyboard->take_master();
  }
  if (end.as == Channel::As::Pipe) {
    os::Pipe pipe = TRY(make_long_pipe());
    line.reader_end = std::move(pipe.read_end);
    return std::move(pipe.write_end);
  }
  line.sink = std::make_unique<exec::FifoSink>(TRY(exec::Fifo::make()));
  line.reader_end = TRY(line.sink->fifo().share());
  return os::OwnedFd();
}

// First the reader: what is read before there is one would have nowhere to go.
void Switchboard::begin(Line& line, exec::Relay::Plan& plan) {
  if (line.sink)
    if (auto end = line.sink->await_reader()) plan.sink = *std::move(end);
  if (line.source) plan.source = line.source->await_writer();
}

}  // namespace assay::judge
