#include <stdio.h>
#include <string.h>
extern char** environ;
int main(int argc, char** argv) {
  size_t arguments = 0, variables = 0;
  int count = 0;
  for (int i = 0; i < argc; ++i) arguments += strlen(argv[i]);
  for (; environ[count]; ++count) variables += strlen(environ[count]);
  printf("%d arguments %zu bytes, %d variables %zu bytes\n", argc, arguments, count, variables);
}
