// Does nothing for ever, with its arguments in sight; children too, as many as asked for.
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char** argv) {
  for (int i = argc > 2 ? atoi(argv[2]) : 0; i > 0; --i)
    if (fork() == 0) break;
  (void)!write(1, "ready\n", 6);
  for (;;) pause();
}
