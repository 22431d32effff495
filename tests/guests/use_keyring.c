#include "attempt.h"
#include <sys/syscall.h>
int main() {
  for (int ring = -1; ring >= -5; --ring) {
    ATTEMPT("add_key", syscall(SYS_add_key, "user", "left", "bytes", 5, ring));
    ATTEMPT("keyctl", syscall(SYS_keyctl, 0, ring, 1));
    ATTEMPT("request_key", syscall(SYS_request_key, "user", "left", 0, ring));
  }
}
