// Parts of the daemon that are loaded only when asked for, because of the memory that the libraries
// behind them cost.
#pragma once

#include <string>

#include "base/result.h"

namespace assay::transport {

struct Module {
  std::string what{};     // "gRPC"
  std::string file{};     // "libassay-grpc.so"
  std::string entry{};    // the function that it exports
  std::string package{};  // of Debian, that has what it needs
};

// For whoever gives up rights before modules are loaded: a checkout below /root is root's alone.
void keep_place_of_modules();

// Its entry. Never unloaded. An empty path: beside this program, or in ../lib/assay.
Result<void*> load_entry(const Module& module, const std::string& path);

}  // namespace assay::transport
