/* A teacher's program of Normal-OJ: asks for the square of the number in testcase.in. */
#include <stdio.h>
#include <string.h>

static int verdict(const char *status, const char *message) {
  FILE *file = fopen("Check_Result", "w");
  if (file == NULL) return 1;
  fprintf(file, "STATUS: %s\nMESSAGE: %s\n", status, message);
  return fclose(file);
}

int main(void) {
  long n, square;
  char more[4096];
  FILE *testcase = fopen("testcase.in", "r");
  if (testcase == NULL || fscanf(testcase, "%ld", &n) != 1) return 1;
  printf("%ld\n", n);
  fflush(stdout);
  if (scanf("%ld", &square) != 1) return verdict("WA", "no number came");
  /* Whatever else it says is read, too: only so can it be told how much that may be. */
  while (fread(more, 1, sizeof more, stdin) > 0) {
  }
  if (square != n * n) return verdict("WA", "that is not the square");
  return verdict("AC", "that is the square");
}
