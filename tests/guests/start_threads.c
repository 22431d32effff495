// start_threads COUNT: how many of them live at once.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void* wait_here(void* unused) {
  for (;;) pause();
}
int main(int argc, char** argv) {
  int count = 0;
  pthread_t thread;
  while (count < atoi(argv[1]) && pthread_create(&thread, 0, wait_here, 0) == 0) ++count;
  printf("%d\n", count);
  fflush(stdout);
  _exit(0);
}
