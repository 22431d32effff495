#include "judge/compile_key.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>

#include "os/file.h"
#include "sandbox/request.h"
#include "store/digest.h"

namespace assay::judge {
namespace {

// Counted up whenever the same parts would mean something else.
constexpr std::string_view kFormat = "assay compile key 1";

// Every field with its length before it: no two lists of fields hash alike.
class Fields {
 public:
  void add(std::string_view text) {
    hash_.update(fmt::format("{}:", text.size()));
    hash_.update(text);
  }
  void add(std::uint64_t number) { add(std::to_string(number)); }
  void add(std::span<const std::string> texts) {
    add(texts.size());
    for (const std::string& text : texts)
      add(text);
  }
  void add(const sandbox::Limits& limits) {
    for (const auto& time : {limits.cpu_time, limits.wall_time, limits.idle_time})
      add(time ? std::to_string(time->count()) : "-");
    for (const auto& size : {limits.memory, limits.stack, limits.address_space, limits.data_segment,
                             limits.output, limits.total_output, limits.disk})
      add(size ? std::to_string(size->count) : "-");
    for (const auto& count :
         {limits.inodes, limits.open_files, limits.processes, limits.cpu_permille})
      add(count ? std::to_string(*count) : "-");
  }
  std::string finish() { return hash_.finish(); }

 private:
  store::Sha256 hash_;
};

// What a box shows at `path`, where it is the host's.
std::string on_host(const std::string& path, const sandbox::Profile& profile) {
  const sandbox::ProfileMount* best = nullptr;
  for (const sandbox::ProfileMount& mount : profile.mounts) {
    const bool covers = path == mount.target || path.starts_with(mount.target + "/");
    if (covers && (best == nullptr || mount.target.size() > best->target.size())) best = &mount;
  }
  return best == nullptr ? path : best->source + path.substr(best->target.size());
}

// With the change time: nobody can put that back, as installers do with the other.
std::string stamp_of(const struct stat& state) {
  return fmt::format("{}:{}:{}:{:o}:{}.{}:{}.{}", state.st_dev, state.st_ino, state.st_size,
                     state.st_mode, state.st_mtim.tv_sec, state.st_mtim.tv_nsec,
                     state.st_ctim.tv_sec, state.st_ctim.tv_nsec);
}

std::string joined(const std::string& path, const std::string& target) {
  if (target.starts_with('/')) return target;
  return path.substr(0, path.rfind('/') + 1) + target;
}

// Of the file at the end of all links; empty when there is none.
std::string stamp_behind(std::string path, const sandbox::Profile& profile) {
  constexpr int kMostLinks = 40;
  for (int i = 0; i < kMostLinks; ++i) {
    const std::string place = on_host(path, profile);
    struct stat state{};
    if (::lstat(place.c_str(), &state) < 0) return "";
    if (!S_ISLNK(state.st_mode)) return fmt::format("{} {}", path, stamp_of(state));
    std::array<char, PATH_MAX> target{};
    const ssize_t size = ::readlink(place.c_str(), target.data(), target.size());
    if (size < 0) return "";
    path = joined(path, {target.data(), static_cast<std::size_t>(size)});
  }
  return "";
}

std::string processor() {
  std::string text;
  const auto all = os::read_whole("/proc/cpuinfo");
  if (!all) return text;
  for (const std::string_view wanted : {"model name", "flags", "Features"}) {
    const std::size_t at = all->find(wanted);
    if (at != std::string::npos) text += all->substr(at, all->find('\n', at) - at) + "\n";
  }
  return text;
}

}  // namespace

Result<ProfileStamps> load_profile_stamps(const std::string& directory,
                                          const LanguageSet& languages) {
  ProfileStamps stamps;
  for (const Language& language : languages.all()) {
    const std::string& name = language.profile(Task::Compile);
    if (stamps.contains(name)) continue;
    const std::string text = TRY(os::read_whole(directory + "/" + name + ".toml"));
    sandbox::Profile profile = TRY(sandbox::parse_profile(name, text));
    Fields fields;
    fields.add(text);
    if (!profile.seccomp.empty())
      fields.add(TRY(os::read_whole(directory + "/seccomp/" + profile.seccomp + ".json")));
    stamps[name] = {fields.finish(), std::move(profile)};
  }
  return stamps;
}

std::string tool_stamp(const std::string& program, const sandbox::Profile& profile) {
  for (const std::string& path : sandbox::candidates(program, profile.environment)) {
    std::string stamp = stamp_behind(path, profile);
    if (!stamp.empty()) return stamp;
  }
  return "none";
}

std::string host_stamp() {
  static const std::string kProcessor = processor();
  std::string text = kProcessor;
  // The package managers' own lists, and the places that none of them looks after.
  for (const char* path :
       {"/var/lib/dpkg/status", "/var/lib/rpm/rpmdb.sqlite", "/usr/lib/sysimage/rpm/rpmdb.sqlite",
        "/var/lib/pacman/local", "/lib/apk/db/installed", "/etc/ld.so.cache", "/usr/local/bin",
        "/usr/local/lib", "/usr/local/include", "/usr/include"}) {
    struct stat state{};
    if (::stat(path, &state) == 0) text += fmt::format("{} {}\n", path, stamp_of(state));
  }
  return text;
}

Result<std::string> compile_key(const KeyParts& parts, const ProfileStamps& profiles) {
  Fields fields;
  fields.add(kFormat);
  fields.add(host_stamp());
  for (const Invocation& step : parts.steps) {
    const auto known = profiles.find(step.profile);
    if (known == profiles.end())
      return system_error(0, fmt::format("nothing is known of profile '{}'", step.profile));
    fields.add("step");
    fields.add(tool_stamp(step.argv.front(), known->second.profile));
    fields.add(known->second.digest);
    fields.add(step.argv);
    fields.add(step.environment);
    fields.add(sandbox::merge_limits(step.limits, parts.limits));
    fields.add(step.outputs);
  }
  for (const ProgramFile& file : parts.files) {
    fields.add("file");
    fields.add(file.name);
    fields.add(file.executable ? "x" : "-");
    fields.add(store::digest_of(file.content));
  }
  fields.add("directories");
  fields.add(parts.directories);
  fields.add("results");
  fields.add(parts.results);
  return fields.finish();
}

}  // namespace assay::judge
