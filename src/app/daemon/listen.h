// Sockets that listen, made before the daemon gives up the right to.
#pragma once

#include <string>
#include <vector>

#include "os/fd.h"

namespace assay::daemon {

// "localhost:5050" is every loopback address, ":5050" every address of the machine. With port 0
// all get the same free one.
Result<std::vector<os::OwnedFd>> listen_on(const std::string& address);

std::string address_of(const os::OwnedFd& listener);  // "127.0.0.1:5050"

}  // namespace assay::daemon
