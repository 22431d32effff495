#include "sandbox/warden_order.h"

#include <cstring>
#include <string_view>

namespace assay::sandbox {
namespace {

// 'r' or 'w', source NUL, target NUL, as often as the request says; anything else is refused.
Result<std::vector<HostMount>> read_mounts(std::uint32_t count, std::string_view tail) {
  std::vector<HostMount> mounts;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::size_t source_end = tail.find('\0');
    const std::size_t target_end =
        source_end == tail.npos ? tail.npos : tail.find('\0', source_end + 1);
    if (target_end == tail.npos || source_end < 1 || (tail[0] != 'r' && tail[0] != 'w'))
      return invalid("malformed mounts in a request");
    mounts.push_back({std::string(tail.substr(1, source_end - 1)),
                      std::string(tail.substr(source_end + 1, target_end - source_end - 1)),
                      tail[0] == 'w'});
    tail.remove_prefix(target_end + 1);
  }
  if (!tail.empty()) return invalid("malformed mounts in a request");
  return mounts;
}

}  // namespace

Result<std::vector<std::byte>> write_call(const WardenCall& call) {
  WardenRequest request = call.request;
  if (call.profile.size() >= request.profile.size())
    return invalid("'" + call.profile + "' is not a profile name");
  request.profile.fill('\0');
  std::memcpy(request.profile.data(), call.profile.data(), call.profile.size());
  request.mounts = static_cast<std::uint32_t>(call.mounts.size());
  std::string tail;
  for (const HostMount& mount : call.mounts) {
    if (mount.source.contains('\0') || mount.target.contains('\0'))
      return invalid("a mount path contains a NUL character");
    tail += (mount.writable ? 'w' : 'r') + mount.source + '\0' + mount.target + '\0';
  }
  std::vector<std::byte> packet(sizeof request + tail.size());
  if (packet.size() > kMaxWardenRequest) return invalid("too many mounts in one spec");
  std::memcpy(packet.data(), &request, sizeof request);
  std::memcpy(packet.data() + sizeof request, tail.data(), tail.size());
  return packet;
}

Result<WardenCall> read_call(std::span<const std::byte> packet) {
  WardenCall call;
  WardenRequest& request = call.request;
  if (packet.size() < sizeof request) return invalid("a request that is too short");
  std::memcpy(&request, packet.data(), sizeof request);
  if (request.order > WardenOrder::Describe) return invalid("an unknown request");
  const std::string_view tail(reinterpret_cast<const char*>(packet.data()) + sizeof request,
                              packet.size() - sizeof request);
  call.profile.assign(request.profile.data(),
                      ::strnlen(request.profile.data(), request.profile.size()));
  call.mounts = TRY(read_mounts(request.mounts, tail));
  return call;
}

}  // namespace assay::sandbox
