#include "sandbox/streams.h"

#include <fcntl.h>

#include <algorithm>

#include "sandbox/facts.h"

namespace assay::sandbox {

std::vector<const Stream*> streams_of(const Spec& spec) {
  std::vector<const Stream*> all{&spec.input, &spec.output, &spec.errors};
  for (const Stream& stream : spec.more_streams)
    all.push_back(&stream);
  while (!all.empty() && std::holds_alternative<Closed>(*all.back()))
    all.pop_back();
  return all;
}

Status Streams::open(const Limits& limits) {
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const auto* target = std::get_if<Collect>(streams_[i]);
    if (target == nullptr) continue;
    collectors_.push_back(
        TRY(Collector::open(*target, target->limit ? target->limit : limits.output)));
    collected_.push_back(i);
  }
  return {};
}

Result<int> Streams::descriptor_for(std::size_t index, const std::vector<int>& lower,
                                    Pipes& pipes) {
  const Stream& stream = *streams_[index];
  if (const auto found = std::ranges::find(collected_, index); found != collected_.end())
    return collectors_[static_cast<std::size_t>(found - collected_.begin())].program_end();
  // Borrowed, so it may be somebody else's pipe: what others may do with it is not ours to change.
  if (const auto* given = std::get_if<Descriptor>(&stream)) return given->fd;
  if (const auto* handed = std::get_if<Handed>(&stream)) {
    os::let_others_open(handed->file->get());
    return handed->file->get();
  }
  if (const auto* file = std::get_if<BoxFile>(&stream)) return file->file->get();
  if (const auto* same = std::get_if<Same>(&stream)) {
    if (same->descriptor >= lower.size())
      return invalid("a descriptor can only be the same as a lower one");
    return lower[same->descriptor];
  }
  if (const auto* joined = std::get_if<Joined>(&stream)) {
    if (!pipes.contains(joined->pipe)) pipes.emplace(joined->pipe, TRY(os::make_open_pipe()));
    const os::Pipe& pipe = pipes.at(joined->pipe);
    const bool reads = joined->side == Joined::Side::ByDescriptor
                           ? index == 0
                           : joined->side == Joined::Side::Reads;
    return reads ? pipe.read_end.get() : pipe.write_end.get();
  }
  if (!nothing_.is_open()) nothing_ = TRY(os::open("/dev/null", O_RDWR));
  return nothing_.get();
}

Result<std::vector<int>> Streams::descriptors(Pipes& pipes) {
  std::vector<int> fds;
  for (std::size_t i = 0; i < streams_.size(); ++i)
    fds.push_back(TRY(descriptor_for(i, fds, pipes)));
  return fds;
}

void Streams::program_started() {
  for (Collector& collector : collectors_)
    collector.program_started();
  for (const Stream* stream : streams_)
    if (const auto* handed = std::get_if<Handed>(stream)) handed->file->reset();
}

bool Streams::refuse_beyond(const std::optional<Bytes>& total) {
  std::uint64_t bytes = 0;
  for (const Collector& collector : collectors_)
    bytes += collector.facts().bytes;
  if (!total || bytes <= total->count) return false;
  for (Collector& collector : collectors_)
    collector.refuse_more();
  return true;
}

bool Streams::tend(const Limits& limits) {
  bool broken = false;
  for (Collector& collector : collectors_) {
    if (collector.wants_writing()) collector.flush();
    if (collector.wants_reading()) collector.drain();
    broken |= collector.breaks_limit();
  }
  return refuse_beyond(limits.total_output) || broken;
}

// What was written since the last visit counts, too.
Status Streams::finish(const Limits& limits) {
  for (Collector& collector : collectors_)
    TRY_STATUS(collector.finish());
  (void)refuse_beyond(limits.total_output);
  return {};
}

void Streams::fill(Facts& facts) const {
  facts.streams.assign(std::max<std::size_t>(streams_.size(), 3), {});
  for (std::size_t i = 0; i < collected_.size(); ++i)
    facts.streams[collected_[i]] = collectors_[i].facts();
  facts.output = facts.streams[1];
  facts.errors = facts.streams[2];
}

}  // namespace assay::sandbox
