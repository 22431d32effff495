#include "app/daemon/startup.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "app/daemon/config/box.h"
#include "app/daemon/config/values.h"
#include "app/daemon/listen.h"
#include "app/daemon/reach.h"
#include "os/file.h"

namespace assay::daemon {
namespace {

namespace fs = std::filesystem;

std::string data_directory(const std::string& name) {
  const std::string here = os::own_directory();
  for (const std::string& candidate :
       {here + "/../share/assay/" + name, here + "/../../../" + name})
    if (os::exists(candidate)) return candidate;
  return "/usr/share/assay/" + name;
}

Bytes machine_memory() {
  return Bytes{static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
               static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE))};
}

Host this_host() {
  std::error_code ignored;
  return {.working_directory = fs::current_path(ignored).string(),
          .resolve = [](const std::string& path) -> Result<std::string> {
            std::error_code error;
            const fs::path real = fs::canonical(path, error);
            if (!error) return real.string();
            // Whatever else it is, a part of what programs are to see would be missing.
            for (const int missing : {ENOENT, ENOTDIR, ELOOP, EACCES, ENAMETOOLONG})
              if (error.value() == missing) return std::string();
            return system_error(error.value(), "look for '" + path + "'");
          },
          .obstacle = obstacle_to,
          .memory = machine_memory()};
}

Result<MountFile> mount_file(const Settings& settings, const Log& log) {
  auto text = os::read_whole(settings.mount_conf);
  if (text) return parse_mount_file(settings.mount_conf, *text);
  if (text.error().code != ENOENT) return std::unexpected(std::move(text).error());
  log.info("no mount file: programs see the default part of the host",
           {{"path", settings.mount_conf}});
  return default_mounts(settings.tmp_fs_param);
}

// `into` gets the profile as the operator wrote it.
Result<BoxSettings> box_settings(const Settings& settings, const Log& log, Startup& into) {
  const MountFile file = TRY(mount_file(settings, log));
  auto box = make_box_settings(file, settings, this_host());
  if (!box) return invalid(fmt::format("{}: {}", settings.mount_conf, describe(box.error())));
  for (const std::string& warning : box->warnings)
    log.warning(warning);
  auto profile = read_back(*box);
  if (!profile)
    return invalid(fmt::format("{}: {}", settings.mount_conf, describe(profile.error())));
  into.profile = *std::move(profile);
  return box;
}

Status prepare_box(const Settings& settings, Runtime& runtime, const Log& log, Startup& into) {
  BoxSettings box = TRY(box_settings(settings, log, into));
  for (sandbox::ProfileMount& mount : box.profile.mounts)
    if (std::ranges::find(box.copied, mount.target) != box.copied.end())
      mount.source = TRY(runtime.keep_copy(mount.source));
  const std::string from =
      settings.profiles.empty() ? data_directory("profiles") : settings.profiles;
  TRY_STATUS(
      runtime.set_profiles(from, box.profile.name, profile_text(box.profile), into.identity));
  into.profiles = runtime.profiles();
  if (!box.environment_file.empty() && os::exists(box.environment_file))
    into.environment = parse_environment_file(TRY(os::read_whole(box.environment_file)));
  return {};
}

bool may_write(const struct stat& directory, const Identity& identity) {
  if (directory.st_uid == identity.user) return (directory.st_mode & S_IWUSR) != 0;
  if (directory.st_gid == identity.group) return (directory.st_mode & S_IWGRP) != 0;
  return (directory.st_mode & S_IWOTH) != 0;
}

// A named directory stays. Made or found empty, it is given to whom the daemon becomes; what
// somebody else filled is not touched.
Status prepare_directory(const char* flag, const std::string& path, const Identity& identity) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return system_error(error.value(), fmt::format("{}: make '{}'", flag, path));
  struct stat found{};
  if (::stat(path.c_str(), &found) < 0) return system_error(fmt::format("{}: '{}'", flag, path));
  if (!S_ISDIR(found.st_mode)) return invalid(fmt::format("{}: '{}' is no directory", flag, path));
  if (::geteuid() != 0 || identity.user == 0 || may_write(found, identity)) return {};
  if (found.st_uid == 0 && fs::is_empty(path, error)) {
    if (::chown(path.c_str(), identity.user, identity.group) < 0)
      return system_error(fmt::format("{}: give '{}' away", flag, path));
    return {};
  }
  return invalid(
      fmt::format("{}: '{}' is not empty and not writable for the daemon's user "
                  "(uid {}, gid {}); give it to them or choose another",
                  flag, path, identity.user, identity.group));
}

Status prepare_store(const Settings& settings, const Runtime& runtime, Startup& into) {
  into.store_is_temporary = settings.dir.empty();
  if (into.store_is_temporary) {
    into.store = TRY(runtime.make_store(into.identity));
    return {};
  }
  into.store = fs::absolute(settings.dir).lexically_normal().string();
  return prepare_directory("-dir", into.store, into.identity);
}

Status prepare_cache(const Settings& settings, Startup& into) {
  if (settings.compile_cache.empty() || !settings.judging) return {};
  into.compile_cache = fs::absolute(settings.compile_cache).lexically_normal().string();
  return prepare_directory("-compile-cache", into.compile_cache, into.identity);
}

// The store's directory may be shared with another daemon, a journal never.
Status prepare_journal(const Settings& settings, Startup& into) {
  if (settings.journal == "none" || !settings.judging) return {};
  into.journal_is_named = !settings.journal.empty();
  if (into.journal_is_named) {
    into.journal = fs::absolute(settings.journal).lexically_normal().string();
    return prepare_directory("-journal", into.journal, into.identity);
  }
  if (!into.store_is_temporary) into.journal = into.store + "/journal";
  return {};
}

Status check_core_sets(const Settings& settings) {
  cpu_set_t usable{};
  if (::sched_getaffinity(0, sizeof usable, &usable) < 0) return {};  // more than this can hold
  std::vector<unsigned> cores;
  for (unsigned core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &usable)) cores.push_back(core);
  for (const std::string& set : settings.cpuset)
    if (const Status fine = check_cores(TRY(parse_cores(set)), cores); !fine)
      return invalid(fmt::format("-cpuset: '{}': {}", set, fine.error().context));
  return {};
}

Status prepare_listeners(const Settings& settings, Startup& into) {
  into.listeners = TRY(listen_on(settings.http_addr));
  if (settings.enable_metrics || settings.enable_debug)
    into.monitor_listeners = TRY(listen_on(settings.monitor_addr));
  return {};
}

void warn_about_settings(const Chosen& chosen, const Log& log) {
  for (const std::string& sentence : without_effect(chosen))
    log.warning(sentence);
  const Settings& settings = chosen.settings;
  if (settings.src_prefix.empty())
    log.warning("no -src-prefix: clients may have any file of this host read as 'src'");
  if (settings.net_share) log.warning("-net-share: programs reach the network of this host");
  if (settings.auth_token.empty() && !settings.http_addr.starts_with("localhost:") &&
      !settings.http_addr.starts_with("127."))
    log.warning("no -auth-token: whoever reaches the port may run programs",
                {{"address", settings.http_addr}});
}

}  // namespace

Result<Startup> prepare(const Chosen& chosen, Runtime& runtime, const Log& log) {
  const Settings& settings = chosen.settings;
  Startup startup{.settings = settings};
  warn_about_settings(chosen, log);
  startup.identity = TRY(find_identity(settings.user));
  if (::geteuid() == 0 && startup.identity.user == 0)
    log.warning("-user: the daemon stays root; a bug in it is a bug of root's");
  startup.languages = settings.languages.empty() ? data_directory("languages") : settings.languages;
  startup.policies = settings.policies.empty() ? data_directory("policies") : settings.policies;
  startup.policy = TRY(verdict::load_policy(data_directory("policies"), "gojudge"));
  TRY_STATUS(check_core_sets(settings));
  TRY_STATUS(prepare_box(settings, runtime, log, startup));
  TRY_STATUS(prepare_listeners(settings, startup));
  TRY_STATUS(prepare_store(settings, runtime, startup));
  TRY_STATUS(prepare_cache(settings, startup));
  TRY_STATUS(prepare_journal(settings, startup));
  return startup;
}

}  // namespace assay::daemon
