// Becomes itself again and again: one process, whose programs are each too short to be noticed.
#include <unistd.h>
int main(int argc, char** argv) {
  execv(argv[0], argv);
  return 3;
}
