// A profile: what a box looks like and what programs in it may do by default. Data, read from
// profiles/<name>.toml. The warden makes boxes from it; the daemon takes the default limits and
// environment from it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sandbox/spec.h"

namespace assay::sandbox {

enum class Isolation { Full, None };  // None must be spelled and is shouted in every result
enum class Network { None, Host };
enum class ProcView { None, Pids, Full };  // Pids: /proc with only process directories, hidepid

struct ProfileMount {  // a host path, read-only unless said otherwise
  std::string source{};
  std::string target{};
  bool writable = false;
  bool optional = false;  // a host without it is no error
  bool device = false;    // the device node may be used
};
struct ProfileLink {
  std::string path{};
  std::string target{};
};
struct ProfileFile {
  std::string path{};
  std::string content{};
};
struct WritablePlace {  // a tmpfs, fresh for every run
  std::string path{};
  Bytes size{};
  std::uint64_t inodes = 0;
  bool executable = true;
};

// What a whole box may use, whatever a request says: written by the warden, out of the daemon's
// reach.
struct Caps {
  std::optional<Bytes> memory{};  // default: nine tenths of the host's
  std::optional<std::uint64_t> processes = 4096;
};

struct Profile {
  std::string name{};
  std::string description{};
  Isolation isolation = Isolation::Full;
  Network network = Network::None;
  ProcView proc = ProcView::Pids;
  std::string hostname = "box";
  std::string domainname{};  // empty: as the host has it
  std::uint32_t user = 1000;
  std::uint32_t group = 1000;
  std::string work_dir = "/w";
  std::string seccomp = "default";  // seccomp/<name>.json; empty: no filter
  std::vector<std::string> environment{};
  Limits limits{};
  Caps caps{};
  std::vector<ProfileMount> mounts{};
  std::vector<ProfileLink> links{};
  std::vector<ProfileFile> files{};
  std::vector<WritablePlace> places{};
  std::vector<std::string> masked{};         // paths below the mounts that look empty; not in /proc
  std::vector<std::string> host_prefixes{};  // a spec may mount host paths below these, read-only
  std::vector<std::string> host_prefixes_writable{};  // and below these also writable
};

// A profile name is [a-z0-9][a-z0-9_-]*: it becomes a file name.
bool is_profile_name(std::string_view name);
Result<Profile> parse_profile(std::string name, std::string_view text);
Result<Profile> load_profile(const std::string& directory, const std::string& name);
Result<std::vector<std::string>> list_profiles(const std::string& directory);

}  // namespace assay::sandbox
