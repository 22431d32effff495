// flood_anew HOW: opens its output anew, "append", "empty" or "both" (to read it, too), and floods it through that. Exits with 3 if it
// cannot be opened.
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char** argv) {
  static char block[65536];
  memset(block, 'x', sizeof block);
  int how = !strcmp(argv[1], "append") ? O_WRONLY | O_APPEND : !strcmp(argv[1], "empty") ? O_WRONLY | O_TRUNC : O_RDWR;
  int anew = open("/proc/self/fd/1", how);
  if (anew < 0) return 3;
  close(1);
  while (write(anew, block, sizeof block) > 0) {
  }
  return 4;
}
