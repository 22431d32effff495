// From mounts and flags to the profile that the engine makes boxes from.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/daemon/config/mounts.h"
#include "app/daemon/config/settings.h"
#include "sandbox/profile.h"

namespace assay::daemon {

// Why a box cannot reach a path, although we can.
struct Obstacle {
  std::string directory{};  // that strangers may not enter
  bool can_copy = false;    // a small file that strangers may not write to: a copy is as good
};

// What has to be asked of the host. Nothing is changed by asking.
struct Host {
  std::string working_directory = "/";
  // Without links; "" when missing. An error where the host cannot say.
  std::function<Result<std::string>(const std::string&)> resolve{};
  std::function<std::optional<Obstacle>(const std::string&)> obstacle{};
  Bytes memory = 1_GiB;  // of the machine
};

struct BoxSettings {
  sandbox::Profile profile{};           // named "gojudge"
  std::string environment_file{};       // on the host: what is bound to /.env; empty: none
  std::vector<std::string> warnings{};  // what the file says and a box cannot have; names the key
  std::vector<std::string> copied{};    // targets whose sources a box sees as copies
  std::map<std::string, unsigned> lines{};  // of the mount file, by target; 0: one of the defaults
};

Result<BoxSettings> make_box_settings(const MountFile& file, const Settings& settings,
                                      const Host& host);

// The profile as profiles/gojudge.toml.
std::string profile_text(const sandbox::Profile& profile);

// As the engine will read it. An Error names the line or the key of the mount file.
Result<sandbox::Profile> read_back(const BoxSettings& box);

// "K=V" lines without comments and blanks, as /.env has them.
std::vector<std::string> parse_environment_file(std::string_view text);

// "size=128m,nr_inodes=4k", or "size=50%" of the machine's memory
struct TmpfsOptions {
  Bytes size = 256_MiB;
  std::uint64_t inodes = 16384;
  std::vector<std::string> unknown{};
};
Result<TmpfsOptions> parse_tmpfs_options(std::string_view text, Bytes memory);

}  // namespace assay::daemon
