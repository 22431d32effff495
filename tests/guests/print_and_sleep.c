// A byte each millisecond, without end.
#include <time.h>
#include <unistd.h>
int main() {
  const struct timespec pause = {0, 1000000};
  while (write(1, "x", 1) == 1) nanosleep(&pause, 0);
}
