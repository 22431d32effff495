// assay-warden: started by the daemon or the CLI with a socket as descriptor 3. Not for people.
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <string_view>

#include "os/standard_streams.h"
#include "sandbox/warden/warden.h"

int main(int argc, char** argv) {
  assay::os::fill_standard_streams();
  int type = 0;
  socklen_t size = sizeof type;
  const bool cpu_quota = argc == 3 && std::string_view(argv[2]) == "cpu-quota";
  if ((argc != 2 && !cpu_quota) || ::getsockopt(3, SOL_SOCKET, SO_TYPE, &type, &size) < 0 ||
      type != SOCK_SEQPACKET) {
    std::fprintf(stderr,
                 "assay-warden: is started by assay and assayd, with a socket; usage: assay-warden "
                 "PROFILES [cpu-quota]\n");
    return 2;
  }
  const auto served =
      assay::sandbox::warden::serve({.profiles = argv[1], .socket = 3, .cpu_quota = cpu_quota});
  if (!served) std::fprintf(stderr, "assay-warden: %s\n", assay::describe(served.error()).c_str());
  return served ? 0 : 1;
}
