// What the result of a compilation depends on, as one digest: the steps as they are run, the limits
// and the profile they run under, the files they get, and the tools of this host.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "judge/compiler.h"
#include "sandbox/profile.h"

namespace assay::judge {

// A profile, and a digest of its file and its filter's.
struct ProfileStamp {
  std::string digest{};
  sandbox::Profile profile{};
};
using ProfileStamps = std::map<std::string, ProfileStamp, std::less<>>;

// Of every profile that a language compiles under. Later nobody may have the right to read them.
Result<ProfileStamps> load_profile_stamps(const std::string& directory,
                                          const LanguageSet& languages);

// The program that a box of this profile would start: its path there, and what tells one file from
// another on the host without reading it. Follows links as the box would.
std::string tool_stamp(const std::string& program, const sandbox::Profile& profile);

// What changes when anything is installed on this host (headers, libraries, the programs a compiler
// starts in turn), and the processor, which is all that -march=native is about.
std::string host_stamp();

struct KeyParts {
  std::span<const Invocation> steps{};
  std::span<const ProgramFile> files{};
  std::span<const std::string> directories{};  // beyond those that the files are in
  std::span<const std::string> results{};      // names of the files that are kept
  sandbox::Limits limits{};                    // where a step says nothing, before the profile's
};

// 64 hex digits. An Error: a step's profile is not among the stamps.
Result<std::string> compile_key(const KeyParts& parts, const ProfileStamps& profiles);

}  // namespace assay::judge
