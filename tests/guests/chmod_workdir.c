// chmod_workdir [remove]: locks the work directory, or empties and removes it.
#include "attempt.h"
#include <sys/stat.h>
int main(int argc, char** argv) {
  if (argc > 1) {
    ATTEMPT("unlink guest", unlink("guest"));
    ATTEMPT("rmdir /w", rmdir("/w"));
    ATTEMPT("rename /w", rename("/w", "/v"));
    return 0;
  }
  ATTEMPT("chmod /tmp", chmod("/tmp", 0));
  ATTEMPT("chmod /dev/shm", chmod("/dev/shm", 0));
  ATTEMPT("chmod /w", chmod("/w", 0));
}
