#include "app/daemon/config/box.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sandbox/path.h"

namespace assay::daemon {
namespace {

using sandbox::is_within;
using sandbox::Profile;
using sandbox::ProfileMount;
using sandbox::WritablePlace;

constexpr std::string_view kEnvironmentFile = "/.env";
constexpr std::uint32_t kDefaultId = 1000;
constexpr const char* kDefaultName = "executor_server";

// One spelling of a path: absolute, without "." and "..", no slash at the end.
std::string plain(const std::string& path, const std::string& base) {
  std::string result = (std::filesystem::path(base) / path).lexically_normal().string();
  while (result.size() > 1 && result.ends_with('/'))
    result.pop_back();
  return result;
}

std::string place_of(unsigned line) {
  return line == 0 ? "" : fmt::format(" (line {})", line);
}

class Builder {
 public:
  Builder(const MountFile& file, const Settings& settings, const Host& host)
      : file_(file), settings_(settings), host_(host) {}

  Result<BoxSettings> build() {
    set_names();
    for (const MountLine& line : file_.mounts)
      TRY_STATUS(line.kind == MountKind::Bind ? add_bind(line) : add_place(line));
    TRY_STATUS(show_usr_links_right());
    TRY_STATUS(add_work_dir());
    TRY_STATUS(check_nesting());
    add_links();
    add_masks();
    return std::move(box_);
  }

 private:
  void warn(std::string text) { box_.warnings.push_back(std::move(text)); }

  void set_names() {
    Profile& profile = box_.profile;
    profile.name = "gojudge";
    profile.description = "what the mount file and the flags of assayd say";
    profile.proc =
        file_.proc || file_.proc_writable ? sandbox::ProcView::Pids : sandbox::ProcView::None;
    profile.network = settings_.net_share ? sandbox::Network::Host : sandbox::Network::None;
    if (settings_.net_share) profile.seccomp = "network";  // else no socket could be made
    profile.hostname = file_.host_name.empty() ? kDefaultName : file_.host_name;
    profile.domainname = file_.domain_name.empty() ? kDefaultName : file_.domain_name;
    profile.user = file_.uid == 0 ? kDefaultId : file_.uid;
    profile.group = file_.gid == 0 ? kDefaultId : file_.gid;
    profile.work_dir = plain(file_.work_dir, "/");
    if (file_.proc_writable) warn("procrw: /proc stays read-only in a box");
    if (!file_.init_command.empty()) warn("initCmd: is not run; a box has no set-up command");
    for (const std::string& key : file_.unknown_keys)
      warn(key);
  }

  // A later mount lies over an earlier one at the same place.
  void claim(const std::string& target, unsigned line) {
    std::erase_if(box_.profile.mounts, [&](const auto& m) { return m.target == target; });
    std::erase_if(box_.profile.places, [&](const auto& p) { return p.path == target; });
    std::erase(box_.copied, target);
    box_.lines[target] = line;
  }
  [[nodiscard]] std::string place_of_target(const std::string& target) const {
    const auto found = box_.lines.find(target);
    return place_of(found == box_.lines.end() ? 0 : found->second);
  }

  [[nodiscard]] Result<bool> is_missing(const std::string& source) const {
    return host_.resolve && TRY(host_.resolve(source)).empty();
  }

  Status add_bind(const MountLine& line) {
    const std::string source = plain(line.source, host_.working_directory);
    const std::string target = plain(line.target, "/");
    if (target == "/")
      return invalid(fmt::format("mount{}: the root cannot be a bind mount", place_of(line.line)));
    if (source == "/")
      return invalid(
          fmt::format("mount{}: '/' cannot be shown as a whole; name the directories "
                      "that programs need",
                      place_of(line.line)));
    if (TRY(is_missing(source))) return {};  // as in go-judge
    if (is_within(target, "/proc") && box_.profile.proc != sandbox::ProcView::None) {
      warn(fmt::format("mount{}: nothing can be mounted at '{}'", place_of(line.line), target));
      return {};
    }
    if (target == kEnvironmentFile) {
      box_.environment_file = source;
      return {};
    }
    claim(target, line.line);
    const bool copied = TRY(needs_copy(source, line));
    if (copied) box_.copied.push_back(target);
    const bool device = is_within(source, "/dev");
    if (!line.readonly && !device)
      warn(fmt::format("mount{}: '{}' {}", place_of(line.line), target,
                       copied ? "is a copy, and read-only"
                              : "is writable, and what programs leave there stays"));
    box_.profile.mounts.push_back({.source = source,
                                   .target = target,
                                   .writable = !line.readonly && !copied,
                                   .optional = true,
                                   .device = device});
    return {};
  }

  // A box looks at the host with ids of its own, which have no rights anywhere.
  [[nodiscard]] Result<bool> needs_copy(const std::string& source, const MountLine& line) const {
    if (!host_.obstacle) return false;
    const std::optional<Obstacle> obstacle = host_.obstacle(source);
    if (!obstacle || obstacle->can_copy) return obstacle.has_value();
    return invalid(
        fmt::format("mount{}: '{}' cannot be shown to programs, because not everybody may enter "
                    "'{}': allow it with 'chmod a+x {}', or keep the source elsewhere",
                    place_of(line.line), source, obstacle->directory, obstacle->directory));
  }

  Status add_place(const MountLine& line) {
    const std::string target = plain(line.target, "/");
    auto options = parse_tmpfs_options(line.data, host_.memory);
    if (!options)
      return invalid(fmt::format("mount '{}'{}: data: {}", target, place_of(line.line),
                                 options.error().context));
    for (const std::string& word : options->unknown)
      warn(
          fmt::format("mount '{}'{}: data: '{}' has no effect", target, place_of(line.line), word));
    if (line.readonly)
      warn(fmt::format("mount '{}'{}: a tmpfs is always writable", target, place_of(line.line)));
    claim(target, line.line);
    box_.profile.places.push_back(
        {.path = target, .size = options->size, .inodes = options->inodes});
    return {};
  }

  // The engine keeps the links of a merged /usr ("/bin" is "usr/bin") as links. Where the box has
  // no such /usr, or the link would lie elsewhere, what it points to is mounted instead.
  Status show_usr_links_right() {
    const bool has_usr = std::ranges::any_of(box_.profile.mounts, [](const ProfileMount& m) {
      return m.source == "/usr" && m.target == "/usr";
    });
    for (ProfileMount& mount : box_.profile.mounts) {
      if ((has_usr && mount.source == mount.target) || !host_.resolve) continue;
      if (const std::string real = TRY(host_.resolve(mount.source)); !real.empty())
        mount.source = real;
    }
    return {};
  }

  Status add_work_dir() {
    const std::string& path = box_.profile.work_dir;
    if (path == "/") return invalid("workDir: '/' cannot be written to");
    const auto same = [&](const WritablePlace& place) {
      return place.path == path;
    };
    if (std::ranges::any_of(box_.profile.places, same)) return {};
    warn(fmt::format("workDir: '{}' is no tmpfs of the mount list; one is added", path));
    return add_place({.kind = MountKind::Tmpfs, .target = path, .data = settings_.tmp_fs_param});
  }

  Status check_nesting() {
    for (const WritablePlace& place : box_.profile.places) {
      for (const ProfileMount& mount : box_.profile.mounts)
        if (is_within(mount.target, place.path))
          return invalid(
              fmt::format("mount{}: '{}' lies in the tmpfs '{}', which is new in every run",
                          place_of_target(mount.target), mount.target, place.path));
      for (const WritablePlace& other : box_.profile.places)
        if (&other != &place && is_within(other.path, place.path))
          return invalid(fmt::format("mount{}: tmpfs '{}' lies in tmpfs '{}'",
                                     place_of_target(other.path), other.path, place.path));
    }
    return {};
  }

  // Nothing can be made in what is mounted.
  [[nodiscard]] bool is_covered(const std::string& path) const {
    return std::ranges::any_of(box_.profile.mounts,
                               [&](const auto& m) { return is_within(path, m.target); }) ||
           std::ranges::any_of(box_.profile.places,
                               [&](const auto& p) { return is_within(path, p.path); }) ||
           is_within(path, "/proc");
  }

  void add_links() {
    for (const LinkLine& line : file_.links) {
      const std::string path = plain(line.link_path, "/");
      const bool twice = std::ranges::any_of(box_.profile.links,
                                             [&](const auto& link) { return link.path == path; });
      if (path == "/" || twice || is_covered(path)) {
        warn(fmt::format("symLink{}: '{}' cannot be made: something else is there",
                         place_of(line.line), path));
        continue;
      }
      box_.profile.links.push_back({.path = path, .target = line.target});
      box_.lines[path] = line.line;
    }
  }

  void add_masks() {
    for (const std::string& mask : file_.masked) {
      const std::string path = plain(mask, "/");
      if (path != "/") box_.profile.masked.push_back(path);
    }
  }

  const MountFile& file_;
  const Settings& settings_;
  const Host& host_;
  BoxSettings box_;
};

}  // namespace

Result<BoxSettings> make_box_settings(const MountFile& file, const Settings& settings,
                                      const Host& host) {
  return Builder(file, settings, host).build();
}

std::vector<std::string> parse_environment_file(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t'))
      line.remove_suffix(1);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.empty() && line[0] != '#' && line.contains('=') && !line.contains('\0'))
      lines.emplace_back(line);
  }
  return lines;
}

}  // namespace assay::daemon
