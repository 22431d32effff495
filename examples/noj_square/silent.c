/* Listens, and never says a word. */
#include <stdio.h>
int main(void) {
  while (getchar() != EOF) {
  }
  return 0;
}
