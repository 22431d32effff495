#include <pthread.h>
#include <unistd.h>
static void* spin(void* unused) {
  for (volatile unsigned n = 0;; ++n) {
  }
}
int main() {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 65536);
  for (pthread_t thread;;) pthread_create(&thread, &small, spin, 0);
}
