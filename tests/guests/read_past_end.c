// read_past_end [MILLISECONDS]: reads its input to the end and wants more. It asks again whenever so much time has passed, with 0
// at once; or it waits to be told.
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char** argv) {
  char block[4096];
  while (read(0, block, sizeof block) > 0) {
  }
  (void)!write(1, "end\n", 4);
  while (read(0, block, sizeof block) == 0)
    if (argc < 2)
      pause();
    else if (atol(argv[1]) > 0)
      usleep(atol(argv[1]) * 1000);
}
