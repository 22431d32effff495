// Everything that is decided and acquired before a client can say a word.
#pragma once

#include <string>
#include <vector>

#include "app/daemon/config/options.h"
#include "app/daemon/log.h"
#include "app/daemon/privileges.h"
#include "app/daemon/runtime.h"
#include "sandbox/profile.h"
#include "verdict/policy.h"

namespace assay::daemon {

struct Startup {
  Settings settings{};
  sandbox::Profile profile{};
  std::vector<std::string> environment{};  // of every program, before its own
  verdict::Policy policy{};
  Identity identity{};
  std::vector<os::OwnedFd> listeners{};
  std::vector<os::OwnedFd> monitor_listeners{};
  std::string profiles{};  // directory
  std::string languages{}, policies{};
  std::string store{};  // directory
  bool store_is_temporary = false;
  std::string compile_cache{};    // directory; empty: what was compiled is remembered in memory
  std::string journal{};          // directory; empty: there is none
  bool journal_is_named = false;  // by the operator, who then wants it and no other
};

Result<Startup> prepare(const Chosen& chosen, Runtime& runtime, const Log& log);

}  // namespace assay::daemon
