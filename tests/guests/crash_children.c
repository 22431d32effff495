// crash_children COUNT: so many children, each ended by a fault that the kernel may want to log.
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char** argv) {
  for (int i = atoi(argv[1]); i > 0; --i) {
    if (fork() == 0) *(volatile int*)8 = 1;
    wait(0);
  }
}
