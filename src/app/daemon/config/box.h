// From mounts and flags to the profile that the engine makes boxes from.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/daemon/config/mounts.h"
#include "app/daemon/config/settings.h"
#include "sandbox/profile.h"

namespace assay::daemon {

// What has to be asked of the host. Nothing is changed by asking.
struct Host {
  std::string working_directory = "/";
  std::function<std::string(const std::string&)> resolve{};  // without links; "" when missing
};

struct BoxSettings {
  sandbox::Profile profile{};           // named "gojudge"
  std::string environment_file{};       // on the host: what is bound to /.env; empty: none
  std::vector<std::string> warnings{};  // what the file says and a box cannot have; names the key
};

Result<BoxSettings> make_box_settings(const MountFile& file, const Settings& settings,
                                      const Host& host);

// The profile as profiles/gojudge.toml.
std::string profile_text(const sandbox::Profile& profile);

// "K=V" lines without comments and blanks, as /.env has them.
std::vector<std::string> parse_environment_file(std::string_view text);

// "size=128m,nr_inodes=4k"
struct TmpfsOptions {
  Bytes size = 256_MiB;
  std::uint64_t inodes = 16384;
  std::vector<std::string> unknown{};
};
Result<TmpfsOptions> parse_tmpfs_options(std::string_view text);

}  // namespace assay::daemon
