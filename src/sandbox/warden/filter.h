// System call filters: OCI-format JSON compiled once to BPF, with a way through for the box's own
// launcher.
//
// libseccomp compiles the rules; then every return that is not "allow" is led through a check of
// the sixth argument against the box's key. Allowed calls are decided without looking at arguments,
// so that the kernel's per-call cache of constant "allow" answers still works.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay::sandbox::warden {

struct Filter {
  std::vector<sock_filter> program{};
  std::vector<std::size_t> key_high{};  // instructions whose constant is the key's upper half
  std::vector<std::size_t> key_low{};
  bool listens = false;  // some rule notifies, so a listener must be taken when it is installed
  std::uint32_t watched = 0;  // bits by inside::WatchedCall: allowed, but we are told
  bool knows_ipc = false;     // each of those calls is watched or denied, whatever its arguments
};

Result<Filter> compile_filter(std::string_view json);
Result<Filter> load_filter(const std::string& directory,
                           const std::string& name);  // <directory>/seccomp/<name>.json

// The program with a key filled in.
std::vector<sock_filter> with_key(const Filter& filter, std::uint64_t key);

}  // namespace assay::sandbox::warden
