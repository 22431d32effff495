#include "exec/joints.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace assay::exec {
namespace {

constexpr int kMostDescriptors = 200;

std::unexpected<Error> broken(std::string why) {
  return std::unexpected(Error{Fault::System, 0, std::move(why)});
}

Status check_end(const Request& request, const PipeEnd& end, std::set<std::pair<int, int>>& taken) {
  if (end.index < 0 || static_cast<std::size_t>(end.index) >= request.commands.size())
    return broken(fmt::format("pipe: index out of range {}", end.index));
  if (end.fd < 0 || end.fd >= kMostDescriptors)
    return broken(fmt::format("pipe: file descriptor out of range {}", end.fd));
  if (!taken.emplace(end.index, end.fd).second)
    return broken(fmt::format("pipe: fd already occupied {} {}", end.index, end.fd));
  const auto& files = request.commands[static_cast<std::size_t>(end.index)].files;
  const auto fd = static_cast<std::size_t>(end.fd);
  if (fd < files.size() && !std::holds_alternative<FromPipe>(files[fd]))
    return broken(
        fmt::format("pipe: mapping to existing file descriptor {} {}", end.index, end.fd));
  return {};
}

}  // namespace

std::size_t descriptor_count(const Request& request, std::size_t index) {
  std::size_t count = request.commands[index].files.size();
  for (const PipeMap& map : request.pipes)
    for (const PipeEnd& end : {map.writer, map.reader})
      if (end.index == static_cast<int>(index))
        count = std::max(count, static_cast<std::size_t>(end.fd) + 1);
  return count;
}

Status check_joints(const Request& request) {
  std::set<std::pair<int, int>> taken;
  for (const PipeMap& map : request.pipes) {
    TRY_STATUS(check_end(request, map.writer, taken));
    TRY_STATUS(check_end(request, map.reader, taken));
  }
  if (request.commands.size() == 1) return {};  // nobody to join: its own error, not the request's
  for (std::size_t i = 0; i < request.commands.size(); ++i) {
    const auto& files = request.commands[i].files;
    for (std::size_t fd = 0; fd < descriptor_count(request, i); ++fd) {
      const bool empty = fd >= files.size() || std::holds_alternative<FromPipe>(files[fd]);
      if (empty && !taken.contains({static_cast<int>(i), static_cast<int>(fd)}))
        return broken(fmt::format("null file for index/fd: {}/{}", i, fd));
    }
  }
  return {};
}

Result<Joints> Joints::make(const Request& request) {
  using sandbox::Joined;
  Joints joints;
  unsigned number = 0;
  for (const PipeMap& map : request.pipes) {
    const std::pair writer{map.writer.index, map.writer.fd};
    const std::pair reader{map.reader.index, map.reader.fd};
    if (!map.proxy) {
      joints.ends_[writer] = Joined{number, Joined::Side::Writes};
      joints.ends_[reader] = Joined{number, Joined::Side::Reads};
      ++number;
      continue;
    }
    os::Pipe first = TRY(os::make_open_pipe());
    os::Pipe second = TRY(os::make_open_pipe());
    Proxy& proxy = joints.proxies_.emplace_back(Proxy{.map = &map,
                                                      .writer_end = std::move(first.write_end),
                                                      .source = std::move(first.read_end),
                                                      .sink = std::move(second.write_end),
                                                      .reader_end = std::move(second.read_end)});
    joints.ends_[writer] = sandbox::Handed{&proxy.writer_end};
    joints.ends_[reader] = sandbox::Handed{&proxy.reader_end};
  }
  return joints;
}

sandbox::Stream Joints::at(int index, int fd) const {
  const auto found = ends_.find({index, fd});
  return found == ends_.end() ? sandbox::Stream(sandbox::Nothing{}) : found->second;
}

void Joints::abandon(int index) {
  for (Proxy& proxy : proxies_) {
    if (proxy.map->writer.index == index) proxy.writer_end.reset();
    if (proxy.map->reader.index == index) proxy.reader_end.reset();
  }
}

Status Joints::start_relays(const std::vector<std::vector<unsigned>>& cores_of_command) {
  for (Proxy& proxy : proxies_) {
    const auto writer = static_cast<std::size_t>(proxy.map->writer.index);
    proxy.relay = TRY(Relay::start({.source = std::move(proxy.source),
                                    .sink = std::move(proxy.sink),
                                    .keep = proxy.map->name.empty() ? 0_B : proxy.map->max,
                                    .cores = cores_of_command[writer]}));
  }
  return {};
}

std::vector<Joints::Kept> Joints::finish() {
  std::vector<Kept> kept;
  for (Proxy& proxy : proxies_) {
    // An end whose program never started is still ours: the relay must not wait for it.
    proxy.writer_end.reset();
    proxy.reader_end.reset();
    if (!proxy.relay) continue;
    std::string bytes = proxy.relay->finish();
    if (!proxy.map->name.empty())
      kept.push_back({proxy.map->writer.index, proxy.map->name, std::move(bytes)});
  }
  return kept;
}

}  // namespace assay::exec
