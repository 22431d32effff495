// roam MIB ROUNDS: so many reads and writes all over so much memory, far more than a cache holds.
#include "guest.h"

enum { kMostMib = 64 };
static unsigned char field[kMostMib << 20];

int run(int argc, char** argv) {
  if (argc != 3) return 2;
  const unsigned long size = number_in(argv[1]) << 20;
  if (size == 0 || size > sizeof field) return 2;
  unsigned long at = 1;
  for (unsigned long long i = number_in(argv[2]); i > 0; --i) {
    at = at * 6364136223846793005ULL + 1442695040888963407ULL;
    ++field[(at >> 20) % size];
  }
  print_number(own_cpu_ns());
  return 0;
}
