// The profiles: found, readable, and written by nobody but their owner.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "app/cli/commands.h"
#include "app/cli/doctor.h"
#include "app/cli/doctor_host.h"
#include "sandbox/profile.h"

namespace assay::cli::checkup {
namespace {

// The warden's own rule: its and root's files, which the world cannot write to.
Finding look_at_trust(const std::string& path) {
  struct stat file{};
  if (::stat(path.c_str(), &file) < 0)
    return {State::Missing, path + ": " + words_of(errno),
            "reinstall assay: cmake --install BUILD_DIR"};
  if (file.st_uid != 0 && file.st_uid != ::geteuid())
    return {State::Missing, fmt::format("{} belongs to user {}", path, file.st_uid),
            "chown root " + path};
  if ((file.st_mode & S_IWOTH) != 0)
    return {State::Missing, path + " is writable by everybody", "chmod o-w " + path};
  return {State::Ok, path};
}

Finding look_at_profile(const std::string& directory, const std::string& name) {
  const std::string path = fmt::format("{}/{}.toml", directory, name);
  const auto profile = sandbox::load_profile(directory, name);
  if (!profile)
    return {State::Missing, describe(profile.error()),
            "mend the file, or reinstall it: cmake --install BUILD_DIR"};
  if (Finding trust = look_at_trust(path); trust.state != State::Ok) return trust;
  if (profile->isolation == sandbox::Isolation::None) return {State::Note, profile->description};
  if (profile->seccomp.empty())
    return {State::Degraded, "no system call filter", "set 'seccomp' in " + path};
  Finding filter = look_at_trust(fmt::format("{}/seccomp/{}.json", directory, profile->seccomp));
  if (filter.state != State::Ok) return filter;
  return {State::Ok, profile->description};
}

}  // namespace

std::vector<Line> profile_lines(const Host&) {
  std::error_code error;
  const std::string given = profile_directory();
  const auto real = std::filesystem::canonical(given, error);
  const std::string directory = error ? given : real.string();
  const auto names = sandbox::list_profiles(directory);
  if (!names || names->empty())
    return {{"profiles",
             "directory",
             {State::Missing, "no profiles in " + directory,
              "reinstall assay: cmake --install BUILD_DIR"}}};
  std::vector<Line> lines{{"profiles", "directory", look_at_trust(directory)}};
  for (const std::string& name : *names)
    lines.push_back({"profiles", name, look_at_profile(directory, name)});
  return lines;
}

}  // namespace assay::cli::checkup
