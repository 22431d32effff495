#include "sandbox/warden/plan.h"

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <unordered_map>

#include "base/check.h"
#include "sandbox/path.h"

namespace assay::sandbox::warden {
namespace {

using inside::BoxPlan;
using inside::Make;
using inside::MakeKind;

// Something to make, before its strings have a place.
struct Thing {
  MakeKind kind = MakeKind::Directory;
  std::string source{};
  std::string options{};
  std::uint32_t flags = 0;
  std::uint32_t mode = 0755;
};
// By path, and in that order a directory comes before what is in it.
using Things = std::map<std::string, Thing, std::less<>>;

// Strings one after the other, each once; offset 0 is the empty one.
class Strings {
 public:
  std::uint32_t add(const std::string& text) {
    const auto [place, is_new] =
        known_.try_emplace(text, static_cast<std::uint32_t>(bytes_.size()));
    if (is_new) bytes_.append(text).push_back('\0');
    return place->second;
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_ = std::string(1, '\0');
  std::unordered_map<std::string, std::uint32_t> known_{{"", 0}};
};

Thing thing_of(const ProfileMount& mount) {
  std::uint32_t flags = 0;
  if (mount.writable) flags |= inside::kWritable;
  if (mount.device) flags |= inside::kDevice | inside::kNoExec;
  if (mount.optional) flags |= inside::kOptional;
  return {.kind = MakeKind::Bind, .source = mount.source, .flags = flags};
}

// With one id mapped, there is no other.
std::uint32_t user_of(const PlanInputs& inputs) {
  return inputs.single_id ? 0 : inputs.profile.user;
}

std::uint32_t group_of(const PlanInputs& inputs) {
  return inputs.single_id ? 0 : inputs.profile.group;
}

Thing thing_of(const HostMount& mount) {
  const std::uint32_t flags = inside::kNoLinks | (mount.writable ? inside::kWritable : 0U);
  return {.kind = MakeKind::Bind, .source = mount.source, .flags = flags};
}

Thing thing_of(const WritablePlace& place, const PlanInputs& inputs) {
  const bool shared = place.path == "/tmp" || place.path == "/dev/shm";
  const std::uint32_t mode = shared ? 01777 : 0755;
  std::uint32_t flags = inside::kPlace | inside::kOwned;
  if (!place.executable) flags |= inside::kNoExec;
  return {.kind = MakeKind::Tmpfs,
          .options = fmt::format("size={},nr_inodes={},mode={:04o},uid={},gid={}", place.size.count,
                                 place.inodes, mode, user_of(inputs), group_of(inputs)),
          .flags = flags,
          .mode = mode};
}

// Is this inside something mounted from the host, which brings its own directories?
bool is_in_mount(const Things& things, std::string_view path) {
  for (std::string_view above = path; above != "/"; above = parent_of(above))
    if (const auto found = things.find(above);
        found != things.end() && found->second.kind == MakeKind::Bind)
      return true;
  return false;
}

// Directories that nobody asks for but something lies in.
void add_parents(Things& things) {
  std::vector<std::string> missing;
  for (const auto& [path, thing] : things)
    for (std::string_view above = parent_of(path); above != "/"; above = parent_of(above))
      if (!things.contains(above) && !is_in_mount(things, above)) missing.emplace_back(above);
  for (std::string& path : missing)
    things.try_emplace(std::move(path));
}

Things things_of(const PlanInputs& inputs) {
  const Profile& profile = inputs.profile;
  Things things;
  if (profile.isolation == Isolation::None) return things;
  for (const ProfileMount& mount : profile.mounts)
    things[mount.target] = thing_of(mount);
  for (const ProfileLink& link : profile.links)
    things[link.path] = {.kind = MakeKind::Link, .source = link.target};
  for (const ProfileFile& file : profile.files)
    things[file.path] = {.kind = MakeKind::File, .options = file.content, .mode = 0644};
  for (const WritablePlace& place : profile.places)
    things[place.path] = thing_of(place, inputs);
  for (const HostMount& mount : inputs.mounts)
    things[mount.target] = thing_of(mount);
  if (profile.proc != ProcView::None) things["/proc"] = {.kind = MakeKind::Proc, .mode = 0555};
  add_parents(things);
  return things;
}

// After everything else, whatever it is that they hide. A run has a /proc of its own, on top of the
// box's, so there is nothing to hide in there.
void add_masks(std::vector<Make>& makes, const Profile& profile, Strings& strings) {
  for (const std::string& path : profile.masked)
    if (!is_within(path, "/proc"))
      makes.push_back({.kind = MakeKind::Mask,
                       .source = strings.add(""),
                       .target = strings.add(path),
                       .options = strings.add(""),
                       .flags = 0,
                       .mode = 0});
}

std::vector<Make> makes_of(const Things& things, Strings& strings) {
  std::vector<Make> makes;
  for (const auto& [path, thing] : things)
    makes.push_back({.kind = thing.kind,
                     .source = strings.add(thing.source),
                     .target = strings.add(path),
                     .options = strings.add(thing.options),
                     .flags = thing.flags,
                     .mode = thing.mode});
  return makes;
}

BoxPlan header_of(const PlanInputs& inputs, Strings& strings) {
  const Profile& profile = inputs.profile;
  const bool bare = profile.isolation == Isolation::None;
  BoxPlan plan{};
  plan.key = inputs.key;
  plan.isolation = bare ? inside::Isolation::None : inside::Isolation::Full;
  plan.meters = inputs.meters;
  plan.groups = inputs.groups;
  plan.leaves = inputs.leaves;
  plan.memory_group = inputs.memory_group;
  plan.single_id = inputs.single_id ? 1 : 0;
  plan.setgroups_allowed = inputs.setgroups_allowed ? 1 : 0;
  plan.pid_proc = bare ? 0 : static_cast<std::uint32_t>(profile.proc);  // 0 none, 1 pids, 2 full
  plan.user = user_of(inputs);
  plan.group = group_of(inputs);
  plan.stage = strings.add(inputs.stage);
  plan.hostname = strings.add(profile.hostname);
  plan.domainname = strings.add(profile.domainname);
  plan.work_dir = strings.add(bare ? inputs.stage : profile.work_dir);
  plan.filtered = inputs.filtered ? 1 : 0;
  return plan;
}

// Appends, aligned for any of the plan's types; the offset is where it landed.
template <typename T>
std::uint32_t append(std::vector<std::byte>& blob, const T* first, std::size_t count) {
  constexpr std::size_t kAlignment = 8;
  blob.resize((blob.size() + kAlignment - 1) / kAlignment * kAlignment);
  const std::size_t offset = blob.size();
  blob.resize(offset + count * sizeof(T));
  if (count > 0) std::memcpy(blob.data() + offset, first, count * sizeof(T));
  return static_cast<std::uint32_t>(offset);
}

std::string covering(const Profile& profile, const HostMount& mount) {
  for (const std::string& prefix : profile.host_prefixes_writable)
    if (is_within(mount.source, prefix)) return prefix;
  if (mount.writable) return "";
  for (const std::string& prefix : profile.host_prefixes)
    if (is_within(mount.source, prefix)) return prefix;
  return "";
}

// A target may neither cover nor lie in anything that the profile makes: places are renewed for
// every run, and nothing can be created in what is mounted from the host.
Status check_target(const Things& made, const std::string& target) {
  for (const char* reserved : {"/proc", "/dev", "/sys"})
    if (is_within(target, reserved))
      return invalid(fmt::format("mount to '{}': '{}' is reserved", target, reserved));
  for (const auto& [path, thing] : made)
    if (thing.kind != MakeKind::Directory && (is_within(target, path) || is_within(path, target)))
      return invalid(fmt::format("mount to '{}': in the way of the profile's '{}'", target, path));
  return {};
}

}  // namespace

Status allow_mounts(const Profile& profile, std::span<const HostMount> mounts) {
  if (!mounts.empty() && profile.isolation == Isolation::None)
    return invalid(
        fmt::format("profile '{}' has no isolation, so nothing can be mounted", profile.name));
  Things made = things_of({.profile = profile});
  for (const HostMount& mount : mounts) {
    if (!is_plain_path(mount.source) || !is_plain_path(mount.target))
      return invalid(
          fmt::format("mount '{}' to '{}': both must be absolute paths without '.', '..' or '//'",
                      mount.source, mount.target));
    if (covering(profile, mount).empty())
      return invalid(fmt::format("mount '{}': profile '{}' does not allow it{}", mount.source,
                                 profile.name, mount.writable ? " writable" : ""));
    TRY_STATUS(check_target(made, mount.target));
    made[mount.target] = thing_of(mount);
  }
  return {};
}

Result<std::vector<std::byte>> lay_out(const PlanInputs& inputs) {
  Strings strings;
  BoxPlan plan = header_of(inputs, strings);
  std::vector<Make> makes = makes_of(things_of(inputs), strings);
  add_masks(makes, inputs.profile, strings);
  std::vector<std::byte> blob(sizeof(BoxPlan));
  plan.makes = append(blob, makes.data(), makes.size());
  plan.make_count = static_cast<std::uint32_t>(makes.size());
  plan.strings = append(blob, strings.bytes().data(), strings.bytes().size());
  plan.size = static_cast<std::uint32_t>(blob.size());
  if (blob.size() > inside::kMaxPlan)
    return invalid(fmt::format("profile '{}' needs a plan of {} bytes, more than {}",
                               inputs.profile.name, blob.size(), inside::kMaxPlan));
  std::memcpy(blob.data(), &plan, sizeof plan);
  return blob;
}

std::vector<std::byte> lay_out_filter(const Filter& filter, std::uint64_t key) {
  CHECK(key != 0);  // a zero sixth argument would pass the filter
  const auto program = with_key(filter, key);
  CHECK(program.size() <= inside::kMaxFilter);
  std::vector<std::byte> blob(sizeof(inside::FilterPlan));
  const inside::FilterPlan header{.listens = filter.listens ? 1U : 0U,
                                  .watched = filter.watched,
                                  .knows_ipc = filter.knows_ipc ? 1U : 0U,
                                  .count = static_cast<std::uint32_t>(program.size())};
  append(blob, program.data(), program.size());
  std::memcpy(blob.data(), &header, sizeof header);
  return blob;
}

}  // namespace assay::sandbox::warden
