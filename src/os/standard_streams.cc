#include "os/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace assay::os {

void fill_standard_streams() noexcept {
  constexpr std::string_view kComplaint =
      "a standard stream is closed, and /dev/null cannot be opened in its place\n";
  for (int fd = 0; fd <= 2; ++fd) {
    if (::fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    if (::open("/dev/null", O_RDWR | O_NOCTTY) == fd) continue;  // the lowest that is free
    (void)!::write(STDERR_FILENO, kComplaint.data(), kComplaint.size());
    ::_exit(2);
  }
}

}  // namespace assay::os
