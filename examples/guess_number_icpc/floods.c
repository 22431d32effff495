// Writes without end and without a look at the answers.
#include <stdio.h>

int main(void) {
  for (;;)
    puts("1");
}
