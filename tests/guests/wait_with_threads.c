// wait_with_threads COUNT [SECONDS]: starts so many threads, says "ready", and waits for the end of
// its input, or for so long.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_barrier_t all_there;  // a thread that is being made still blocks all signals
static void* wait_here(void* unused) {
  pthread_barrier_wait(&all_there);
  for (;;) pause();
}
int main(int argc, char** argv) {
  pthread_t thread;
  pthread_barrier_init(&all_there, 0, atoi(argv[1]) + 1);
  for (int i = 0; i < atoi(argv[1]); ++i)
    if (pthread_create(&thread, 0, wait_here, 0) != 0) return 3;
  pthread_barrier_wait(&all_there);
  if (write(1, "ready\n", 6) != 6) return 4;
  if (argc > 2) sleep(atoi(argv[2]));
  char byte;
  while (read(0, &byte, 1) > 0) {
  }
  return 0;
}
