// find_canary NAME SECRET: looks for a file of that name in all it can see, and for the secret in what others show of themselves.
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static const char *wanted, *secret;
static long seen;
static void look_into(const char* path) {
  static char text[1 << 20];
  int fd = open(path, O_RDONLY | O_NONBLOCK);
  long got = fd < 0 ? 0 : read(fd, text, sizeof text);
  if (got > 0 && memmem(text, got, secret, strlen(secret))) dprintf(1, "secret in %s\n", path);
  if (fd >= 0) close(fd);
}
static int look(const char* path, const struct stat* found, int kind, struct FTW* where) {
  ++seen;
  if (strstr(path, wanted)) dprintf(1, "found %s\n", path);
  if (kind == FTW_F && strncmp(path, "/usr/", 5) && strncmp(path, "/lib", 4) && strncmp(path, "/bin", 4) && S_ISREG(found->st_mode)) look_into(path);
  return 0;
}
int main(int argc, char** argv) {
  wanted = argv[1];
  secret = strdup(argv[2]);
  const char* tops[] = {"/etc", "/w", "/tmp", "/dev", "/usr", "/bin", "/lib", "/sbin", "/lib64", "/home", "/root", "/var", "/run", "/srv", "/mnt", "/opt", "/boot", "/sys"};
  for (int i = 0; i < sizeof tops / sizeof *tops; ++i) nftw(tops[i], look, 64, FTW_PHYS);
  const char* files[] = {"environ", "cmdline", "maps", "status", "mountinfo", "cwd/.", "root/."};
  for (int pid = 1; pid < 1000; ++pid)
    for (int i = 0; i < 7 && pid != getpid(); ++i) {
      char path[64];
      snprintf(path, sizeof path, "/proc/%d/%s", pid, files[i]);
      look_into(path);
    }
  look_into("/proc/self/environ");
  look_into("/proc/self/mountinfo");
  dprintf(1, "looked at %s\n", seen > 100 ? "much" : "little");
}
