// assayd: the daemon.
#include <cstdio>

int main() {
  std::fprintf(stderr, "assayd: the service is not part of this build yet; use 'assay exec'\n");
  return 2;
}
