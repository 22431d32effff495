// find_canary NAME SECRET [DEPTH]: looks for a file of that name in all it can see (in /usr only as deep as DEPTH, if given), and for
// the secret in what others show of themselves.
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static const char *wanted, *secret;
static long seen, deepest = 1000;
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
  return kind == FTW_D && where->level >= deepest && !strncmp(path, "/usr", 4) ? FTW_SKIP_SUBTREE : FTW_CONTINUE;
}
int main(int argc, char** argv) {
  wanted = argv[1];
  secret = strdup(argv[2]);
  if (argc > 3) deepest = atol(argv[3]);
  const char* tops[] = {"/etc", "/w", "/tmp", "/dev", "/usr", "/bin", "/lib", "/sbin", "/lib64", "/home", "/root", "/var", "/run", "/srv", "/mnt", "/opt", "/boot", "/sys"};
  for (int i = 0; i < sizeof tops / sizeof *tops; ++i) nftw(tops[i], look, 64, FTW_PHYS | FTW_ACTIONRETVAL);
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
