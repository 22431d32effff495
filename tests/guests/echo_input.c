#include <unistd.h>
int main() {
  char block[4096];
  for (long got; (got = read(0, block, sizeof block)) > 0;) (void)!write(1, block, got);
}
