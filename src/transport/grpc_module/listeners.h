// Sockets that listen at an address as users write it.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "os/fd.h"

namespace assay::transport::module {

struct Listeners {
  std::vector<os::OwnedFd> sockets{};  // that do not block; at least one
  int port = 0;
};

// "host:port": at all addresses of that name that can be had, with one port. ":port": at every
// address of the machine. An error is a sentence about the address.
Result<Listeners> listen_at(const std::string& address);

}  // namespace assay::transport::module
