// Only the child goes over the limit; the parent ends well.
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main() {
  if (fork() == 0)
    for (;;) memset(malloc(1 << 20), 1, 1 << 20);
  wait(0);
  return 0;
}
