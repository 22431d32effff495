#include "transport/grpc_module/connections.h"

#include <sys/stat.h>

namespace assay::transport::module {
namespace {

// To look at all of them takes a millisecond, which those who are refused must not make us pay
// each time.
constexpr auto kBetweenLooks = std::chrono::milliseconds(100);

ino_t inode_of(int fd) {
  struct stat status{};
  return ::fstat(fd, &status) == 0 ? status.st_ino : 0;
}

}  // namespace

bool Connections::admit(int socket) {
  given_.erase(socket);  // whatever had this number before is closed
  if (given_.size() >= most_) forget_closed();
  if (given_.size() >= most_) return false;
  given_[socket] = inode_of(socket);
  return true;
}

void Connections::forget_closed() {
  const auto now = Clock::now();
  if (now - last_look_ < kBetweenLooks) return;
  last_look_ = now;
  std::erase_if(given_, [](const auto& one) { return inode_of(one.first) != one.second; });
}

}  // namespace assay::transport::module
