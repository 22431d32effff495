#include "sandbox/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sandbox/inside/plan.h"
#include "sandbox/path.h"

namespace assay::sandbox {
namespace {

enum class Maker { Mount, Device, Link, File, Place, Proc };

struct Claim {
  Maker maker = Maker::Mount;
  Position position{};
};
using Claims = std::map<std::string, Claim, std::less<>>;

const Entry* entry_of(const Node& root, std::string_view key) {
  for (const Entry& entry : std::get<Node::Table>(root.value))
    if (entry.key == key) return &entry;
  return nullptr;
}

// Where element `index` of a list stands. The list was read, so it is one.
Position element_position(const Node& root, std::string_view key, std::size_t index) {
  return std::get<Node::List>(entry_of(root, key)->value.value)[index].position;
}

class Register {
 public:
  explicit Register(const Node& root) : root_(root) {}

  void take_proc() { claims_["/proc"] = {Maker::Proc, root_.position}; }

  // Element `index` of the list `key` makes `path`.
  Status add(std::string_view key, std::size_t index, const std::string& path, Maker maker) {
    const Position position = element_position(root_, key, index);
    const auto [earlier, is_new] = claims_.try_emplace(path, Claim{maker, position});
    if (is_new) return {};
    if (earlier->second.maker == Maker::Proc)
      return wrong(position, fmt::format("'{}' is taken: the profile has a /proc", path));
    const unsigned line = earlier->second.position.line;
    return wrong(position, fmt::format("'{}' is already taken by line {}", path, line));
  }

  [[nodiscard]] const Claims& claims() const { return claims_; }

 private:
  const Node& root_;
  Claims claims_;
};

Status register_all(Register& all, const Profile& profile) {
  for (std::size_t i = 0; i < profile.mounts.size(); ++i) {
    const ProfileMount& mount = profile.mounts[i];
    TRY_STATUS(all.add("mounts", i, mount.target, mount.device ? Maker::Device : Maker::Mount));
  }
  for (std::size_t i = 0; i < profile.links.size(); ++i)
    TRY_STATUS(all.add("links", i, profile.links[i].path, Maker::Link));
  for (std::size_t i = 0; i < profile.files.size(); ++i)
    TRY_STATUS(all.add("files", i, profile.files[i].path, Maker::File));
  for (std::size_t i = 0; i < profile.places.size(); ++i)
    TRY_STATUS(all.add("places", i, profile.places[i].path, Maker::Place));
  return {};
}

// Nothing can be made below a link or a file; what is made below a place is lost when the place is
// renewed for the next run; and a mount is read-only by the time something might be created in it.
Status check_above(const Claims& claims, const std::string& path, const Claim& below) {
  for (std::string_view above = parent_of(path); above != "/"; above = parent_of(above)) {
    const auto found = claims.find(above);
    if (found == claims.end()) continue;
    const bool mounts = below.maker == Maker::Mount || below.maker == Maker::Place;
    if (found->second.maker == Maker::Mount && mounts) continue;
    return wrong(below.position, fmt::format("'{}' cannot be made below '{}'", path, above));
  }
  return {};
}

// Without isolation the program sees the host as it is, so a profile must not pretend otherwise.
Status check_bare(const Node& root) {
  for (const char* key :
       {"mounts", "links", "files", "places", "host_prefixes", "host_prefixes_writable", "network",
        "proc", "hostname", "domainname", "masked", "work_dir"})
    if (const Entry* entry = entry_of(root, key))
      return wrong(entry->position, fmt::format("'{}' needs isolation = \"full\"", key));
  return {};
}

Status check_places(const Node& root, const Profile& profile) {
  if (profile.places.size() > inside::kMaxPlaces)
    return wrong(element_position(root, "places", inside::kMaxPlaces),
                 fmt::format("a box has at most {} places", inside::kMaxPlaces));
  if (std::ranges::find(profile.places, profile.work_dir, &WritablePlace::path) !=
      profile.places.end())
    return {};
  const Entry* entry = entry_of(root, "work_dir");
  return wrong(entry != nullptr ? entry->position : root.position,
               fmt::format("work_dir '{}' is none of the places", profile.work_dir));
}

}  // namespace

Status check_claims(const Node& root, const Profile& profile) {
  if (profile.isolation == Isolation::None) return check_bare(root);
  TRY_STATUS(check_places(root, profile));
  Register all(root);
  if (profile.proc != ProcView::None) all.take_proc();
  TRY_STATUS(register_all(all, profile));
  for (const auto& [path, below] : all.claims())
    TRY_STATUS(check_above(all.claims(), path, below));
  return {};
}

}  // namespace assay::sandbox
