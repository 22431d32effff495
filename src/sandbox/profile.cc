#include "sandbox/profile.h"

#include <dirent.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "os/file.h"
#include "sandbox/claims.h"
#include "sandbox/document.h"
#include "sandbox/profile_fields.h"

namespace assay::sandbox {

Status read_environment(const Node& node, std::vector<std::string>& into) {
  const auto* table = std::get_if<Node::Table>(&node.value);
  if (table == nullptr) return wrong(node.position, "must be a table");
  for (const Entry& entry : *table) {
    std::string text;
    TRY_STATUS(read(entry.value, text));
    constexpr std::string_view kForbidden("=\0", 2);
    if (entry.key.empty() || entry.key.find_first_of(kForbidden) != std::string::npos)
      return wrong(entry.position, fmt::format("'{}' is no name of a variable", entry.key));
    into.push_back(fmt::format("{}={}", entry.key, text));
  }
  return {};
}

Status read_limits(const Node& node, Limits& into) {
  static constexpr std::array kFields{
      field<&Limits::cpu_time>("cpu_time"),
      field<&Limits::wall_time>("wall_time"),
      field<&Limits::idle_time>("idle_time"),
      field<&Limits::memory>("memory"),
      field<&Limits::stack>("stack"),
      field<&Limits::address_space>("address_space"),
      field<&Limits::data_segment>("data_segment"),
      field<&Limits::output>("output"),
      field<&Limits::total_output>("total_output"),
      field<&Limits::disk>("disk"),
      field<&Limits::inodes>("inodes"),
      field<&Limits::open_files>("open_files"),
      field<&Limits::processes>("processes"),
      field<&Limits::cpu_permille>("cpu_permille"),
  };
  return read_table(node, into, kFields);
}

namespace {

// Not 0: that is the box's root.
Status read_id(const Node& node, std::uint32_t& into) {
  std::uint64_t value = 0;
  TRY_STATUS(read(node, value));
  if (value > INT32_MAX) return wrong(node.position, "is too large");
  into = static_cast<std::uint32_t>(value);
  return {};
}

Status read_isolation(const Node& node, Isolation& into) {
  into = static_cast<Isolation>(TRY(read_word(node, {"full", "none"})));
  return {};
}

Status read_network(const Node& node, Network& into) {
  into = static_cast<Network>(TRY(read_word(node, {"none", "host"})));
  return {};
}

Status read_proc(const Node& node, ProcView& into) {
  into = static_cast<ProcView>(TRY(read_word(node, {"none", "pids", "full"})));
  return {};
}

Status read_hostname(const Node& node, std::string& into) {
  constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  constexpr std::size_t kMost = 63;
  TRY_STATUS(read(node, into));
  const bool fits = !into.empty() && into.size() <= kMost;
  if (fits && into.find_first_not_of(kAllowed) == std::string::npos) return {};
  return wrong(node.position, "must be 1 to 63 of letters, digits, '-', '_' and '.'");
}

Status read_filter_name(const Node& node, std::string& into) {
  TRY_STATUS(read(node, into));
  if (into.empty() || is_profile_name(into)) return {};
  return wrong(node.position, fmt::format("'{}' is no name of a filter", into));
}

Status read_caps(const Node& node, Caps& into) {
  static constexpr std::array kFields{
      field<&Caps::memory>("memory"),
      field<&Caps::processes>("processes"),
  };
  return read_table(node, into, kFields);
}

Status read_one(const Node& node, ProfileMount& mount) {
  static constexpr std::array kFields{
      field<&ProfileMount::source, read_path>("source"),
      field<&ProfileMount::target, read_path>("target"),
      field<&ProfileMount::writable>("writable"),
      field<&ProfileMount::optional>("optional"),
      field<&ProfileMount::device>("device"),
  };
  TRY_STATUS(read_table(node, mount, kFields));
  if (mount.source.empty()) return wrong(node.position, "needs a 'source'");
  if (mount.target.empty()) mount.target = mount.source;
  return {};
}

Status read_one(const Node& node, ProfileLink& link) {
  static constexpr std::array kFields{
      field<&ProfileLink::path, read_path>("path"),
      field<&ProfileLink::target>("target"),
  };
  TRY_STATUS(read_table(node, link, kFields));
  if (!link.path.empty() && !link.target.empty()) return {};
  return wrong(node.position, "needs a 'path' and a 'target'");
}

Status read_one(const Node& node, ProfileFile& file) {
  static constexpr std::array kFields{
      field<&ProfileFile::path, read_path>("path"),
      field<&ProfileFile::content>("content"),
  };
  TRY_STATUS(read_table(node, file, kFields));
  return file.path.empty() ? wrong(node.position, "needs a 'path'") : Status{};
}

Status read_one(const Node& node, WritablePlace& place) {
  static constexpr std::array kFields{
      field<&WritablePlace::path, read_path>("path"),
      field<&WritablePlace::size>("size"),
      field<&WritablePlace::inodes>("inodes"),
      field<&WritablePlace::executable>("executable"),
  };
  TRY_STATUS(read_table(node, place, kFields));
  if (!place.path.empty() && place.size.count != 0 && place.inodes != 0) return {};
  return wrong(node.position, "needs a 'path', a 'size' and 'inodes'");
}

template <typename T>
Status read_all(const Node& node, std::vector<T>& into) {
  const auto* list = std::get_if<Node::List>(&node.value);
  if (list == nullptr) return wrong(node.position, "must be an array of tables");
  for (const Node& element : *list)
    TRY_STATUS(read_one(element, into.emplace_back()));
  return {};
}

Status read_profile(const Node& node, Profile& into) {
  static constexpr std::array kFields{
      field<&Profile::description>("description"),
      field<&Profile::isolation, read_isolation>("isolation"),
      field<&Profile::network, read_network>("network"),
      field<&Profile::proc, read_proc>("proc"),
      field<&Profile::hostname, read_hostname>("hostname"),
      field<&Profile::domainname, read_hostname>("domainname"),
      field<&Profile::user, read_id>("user"),
      field<&Profile::group, read_id>("group"),
      field<&Profile::work_dir, read_path>("work_dir"),
      field<&Profile::seccomp, read_filter_name>("seccomp"),
      field<&Profile::environment, read_environment>("environment"),
      field<&Profile::limits, read_limits>("limits"),
      field<&Profile::caps, read_caps>("caps"),
      field<&Profile::mounts, read_all<ProfileMount>>("mounts"),
      field<&Profile::links, read_all<ProfileLink>>("links"),
      field<&Profile::files, read_all<ProfileFile>>("files"),
      field<&Profile::places, read_all<WritablePlace>>("places"),
      field<&Profile::masked, read_paths>("masked"),
      field<&Profile::host_prefixes, read_paths>("host_prefixes"),
      field<&Profile::host_prefixes_writable, read_paths>("host_prefixes_writable"),
  };
  return read_table(node, into, kFields);
}

Result<Profile> parse_from(std::string name, std::string file, std::string_view text) {
  if (!is_profile_name(name)) return invalid(fmt::format("'{}' is no name of a profile", name));
  const Node root = TRY(parse_document(std::move(file), text));
  Profile profile{.name = std::move(name)};
  TRY_STATUS(read_profile(root, profile));
  TRY_STATUS(check_claims(root, profile));
  return profile;
}

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

}  // namespace

bool is_profile_name(std::string_view name) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789_-";
  constexpr std::size_t kMost = 64;
  if (name.empty() || name.size() > kMost || name[0] == '_' || name[0] == '-') return false;
  return name.find_first_not_of(kAllowed) == std::string_view::npos;
}

Result<Profile> parse_profile(std::string name, std::string_view text) {
  std::string file = name + ".toml";
  return parse_from(std::move(name), std::move(file), text);
}

namespace {

std::unexpected<Error> no_such_profile(const std::string& directory, const std::string& name) {
  const auto known = list_profiles(directory);
  const std::string list = known ? fmt::format("{}", fmt::join(*known, ", ")) : "";
  return std::unexpected(Error{Fault::NotFound, 0,
                               fmt::format("no profile '{}' in '{}'{}{}", name, directory,
                                           list.empty() ? "" : "; there are: ", list)});
}

}  // namespace

Result<Profile> load_profile(const std::string& directory, const std::string& name) {
  if (!is_profile_name(name)) return invalid(fmt::format("'{}' is no name of a profile", name));
  std::string path = fmt::format("{}/{}.toml", directory, name);
  auto text = os::read_whole(path);
  if (!text && text.error().code == ENOENT) return no_such_profile(directory, name);
  if (!text) return std::unexpected(std::move(text).error());
  return parse_from(name, std::move(path), *text);
}

Result<std::vector<std::string>> list_profiles(const std::string& directory) {
  constexpr std::string_view kEnding = ".toml";
  const std::unique_ptr<DIR, CloseDirectory> stream(::opendir(directory.c_str()));
  if (!stream) return system_error(fmt::format("list '{}'", directory));
  std::vector<std::string> names;
  // One stream, one reader: readdir is only unsafe when threads share a stream.
  while (const dirent* entry = ::readdir(stream.get())) {  // NOLINT(concurrency-mt-unsafe)
    std::string_view file(entry->d_name);
    if (!file.ends_with(kEnding)) continue;
    file.remove_suffix(kEnding.size());
    if (is_profile_name(file)) names.emplace_back(file);
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace assay::sandbox
