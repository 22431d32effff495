// bomb: forks as fast as it can, for ever; so do its children.
#include "guest.h"

int run(int argc, char** argv) {
  (void)argc;
  (void)argv;
  for (;;)
    call(__NR_fork, 0, 0, 0, 0);
}
