// write_file_forever NAME [patient]: the patient one ignores SIGXFSZ and ends with 3 when no more can be written.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
int main(int argc, char** argv) {
  static char block[65536];
  if (argc > 2) signal(SIGXFSZ, SIG_IGN);
  int file = open(argv[1], O_CREAT | O_WRONLY, 0644);
  if (file < 0) return 2;
  while (write(file, block, sizeof block) > 0) {
  }
  return 3;
}
