// talk ask ROUNDS: writes a short line and waits for the answer, so often. talk answer: sends back
// whatever comes, until there is no more. talk flood BYTES: writes so much as fast as it can. talk
// drain: reads until there is no more.
#include "guest.h"

static const char kLine[] = "question\n";

static int ask(unsigned long long rounds) {
  char answer[64];
  for (unsigned long long i = 0; i < rounds; ++i) {
    if (call(__NR_write, 1, (long)kLine, sizeof kLine - 1, 0) != sizeof kLine - 1) return 3;
    long have = 0;
    while (have < (long)sizeof kLine - 1) {
      const long got = call(__NR_read, 0, (long)answer, sizeof answer, 0);
      if (got <= 0) return 4;
      have += got;
    }
  }
  return 0;
}

static int answer(void) {
  char line[64];
  for (;;) {
    const long got = call(__NR_read, 0, (long)line, sizeof line, 0);
    if (got == 0) return 0;
    if (got < 0 || call(__NR_write, 1, (long)line, got, 0) != got) return 5;
  }
}

static char block[1 << 18];

static int flood(unsigned long long bytes) {
  while (bytes > 0) {
    const long size = bytes < sizeof block ? (long)bytes : (long)sizeof block;
    const long wrote = call(__NR_write, 1, (long)block, size, 0);
    if (wrote <= 0) return 6;
    bytes -= (unsigned long long)wrote;
  }
  return 0;
}

static int drain(void) {
  long got = 1;
  while (got > 0)
    got = call(__NR_read, 0, (long)block, sizeof block, 0);
  return got == 0 ? 0 : 7;
}

int run(int argc, char** argv) {
  if (argc == 3 && argv[1][1] == 's') return ask(number_in(argv[2]));
  if (argc == 2 && argv[1][1] == 'n') return answer();
  if (argc == 3 && argv[1][1] == 'l') return flood(number_in(argv[2]));
  if (argc == 2 && argv[1][1] == 'r') return drain();
  return 2;
}
