// With an argument: after touching so many MiB, which a core dump would have to write.
#include <stdlib.h>
#include <string.h>
int main(int argc, char** argv) {
  size_t size = (argc > 1 ? strtoul(argv[1], 0, 10) : 0) << 20;
  char* heap = size ? malloc(size) : 0;
  if (heap) memset(heap, 1, size);
  abort();
}
