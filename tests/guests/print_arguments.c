// Every argument and every variable, each ended by a NUL.
#include <stdio.h>
#include <string.h>
#include <unistd.h>
extern char** environ;
int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) fwrite(argv[i], 1, strlen(argv[i]) + 1, stdout);
  for (char** variable = environ; *variable; ++variable) {
    fputs("env ", stdout);
    fwrite(*variable, 1, strlen(*variable) + 1, stdout);
  }
}
