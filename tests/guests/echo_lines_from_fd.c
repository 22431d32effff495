// echo_lines_from_fd FROM TO: copies from one descriptor to another until the end, then says so on stderr.
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char** argv) {
  char block[4096];
  for (long got; (got = read(atoi(argv[1]), block, sizeof block)) > 0;) (void)!write(atoi(argv[2]), block, got);
  (void)!write(2, "end", 3);
}
