// work ROUNDS: a fixed amount of work, then the processor time it took by its own clock.
#include "guest.h"

int run(int argc, char** argv) {
  if (argc != 2) return 2;
  spend(number_in(argv[1]));
  print_number(own_cpu_ns());
  return 0;
}
