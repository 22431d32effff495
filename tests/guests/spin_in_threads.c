// spin_in_threads COUNT: so many threads that never enter the kernel, and itself.
#include <pthread.h>
#include <stdlib.h>
static void* spin(void* unused) {
  for (volatile long i = 0;;) ++i;
}
int main(int argc, char** argv) {
  pthread_t thread;
  for (int i = 1; i < atoi(argv[1]); ++i)
    if (pthread_create(&thread, 0, spin, 0) != 0) return 3;
  spin(0);
}
