// From a spec to the one message that starts a run. Pure: what a program gets is tested without
// running it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sandbox/inside/plan.h"
#include "sandbox/limits.h"
#include "sandbox/profile.h"
#include "sandbox/spec.h"

namespace assay::sandbox {

struct RunMessage {
  inside::RunRequest header{};
  std::string strings{};
  std::string put_ins{};
  std::vector<int> copies{};  // borrowed from the spec

  // Header, the strings when they fit, and what is put in.
  [[nodiscard]] std::vector<std::byte> packet() const;
};

// Whether what a program finds in its box is so little that it goes with the request. If not, it is
// put in before. To be asked once per run.
Result<bool> travels_with_request(const Spec& spec);

unsigned mode_of(const FileIn& file);

// The environment in force, "K=V" each, the spec's variables replacing the profile's of the same
// name.
std::vector<std::string> merge_environment(const std::vector<std::string>& defaults,
                                           const std::vector<std::string>& wanted);

// The paths to try for a program, as execvp would.
std::vector<std::string> candidates(const std::string& program,
                                    const std::vector<std::string>& environment);

// Whether anything of the box is wanted after the run.
bool takes_out(const Spec& spec);

Status check_spec(const Spec& spec);

Result<RunMessage> make_message(const Spec& spec, const Profile& profile, const Limits& limits,
                                bool has_meters, bool files_travel);

}  // namespace assay::sandbox
