#include "tests/judging/fixture_hunters.h"

namespace assay::test {

// The host's own /usr and its like are the same for everybody, and large.
std::string hunter_in_c() {
  return R"(#define _GNU_SOURCE
#include <ctype.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
extern char** environ;
static void scan(const char* where, const char* text, long size) {
  for (long at = 0; at + 12 <= size; ++at) {
    long end = at + 6;
    if (memcmp(text + at, "canary", 6)) continue;
    while (end < size && isdigit((unsigned char)text[end])) ++end;
    if (end - at < 12) continue;
    dprintf(1, "found %.*s in %.200s\n", (int)(end - at), text + at, where);
    dprintf(2, "found %.*s in %.200s\n", (int)(end - at), text + at, where);
  }
}
static void scan_file(const char* path) {
  static char text[1 << 20];
  int fd = open(path, O_RDONLY | O_NONBLOCK);
  long got = fd < 0 ? 0 : read(fd, text, sizeof text);
  scan(path, text, got);
  if (fd >= 0) close(fd);
}
static void scan_descriptor(int fd) {
  static char text[1 << 20];
  char name[32];
  snprintf(name, sizeof name, "descriptor %d", fd);
  scan(name, text, pread(fd, text, sizeof text, 0));
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  struct stat found;
  if (!fstat(fd, &found) && S_ISREG(found.st_mode)) scan_file(name);
}
static int look(const char* path, const struct stat* found, int kind, struct FTW* where) {
  static const char* const common[] = {"usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32", "proc"};
  for (int i = 0; i < 8 && where->level == 1; ++i)
    if (!strcmp(path + where->base, common[i])) return FTW_SKIP_SUBTREE;
  scan(path, path, strlen(path));
  if (kind == FTW_F && S_ISREG(found->st_mode)) scan_file(path);
  return FTW_CONTINUE;
}
int main(int count, char** arguments) {
  const char* files[] = {"environ", "cmdline", "maps", "mountinfo", "status", "stack"};
  const char* places[] = {"cwd", "root", "cwd/..", "fd"};
  char path[64];
  nftw("/", look, 64, FTW_PHYS | FTW_ACTIONRETVAL);
  for (int pid = 0; pid < 100; ++pid) {
    char name[16] = "self";
    if (pid) snprintf(name, sizeof name, "%d", pid);
    for (int i = 0; i < 6; ++i) snprintf(path, sizeof path, "/proc/%s/%s", name, files[i]), scan_file(path);
    for (int i = 0; i < 4; ++i)
      snprintf(path, sizeof path, "/proc/%s/%s/", name, places[i]), nftw(path, look, 64, FTW_PHYS | FTW_ACTIONRETVAL);
  }
  for (int i = 0; i < count; ++i) scan("an argument", arguments[i], strlen(arguments[i]));
  for (char** each = environ; *each; ++each) scan("the environment", *each, strlen(*each));
  for (int fd = 0; fd < 1024; ++fd) scan_descriptor(fd);
#ifdef PATH
  scan_file(PATH);
#endif
  dprintf(1, "looked\n");
  dprintf(2, "looked\n");
}
)";
}

std::string hunter_in_python() {
  return R"(import os, re, sys
def scan(where, text):
    for word in re.findall(rb"canary\d{6,}", text):
        for stream in sys.stdout, sys.stderr:
            print("found", word.decode(), "in", where, file=stream, flush=True)
def scan_file(path):
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            scan(path, file.read(1 << 20))
    except OSError:
        pass
def walk(top):
    for place, directories, files in os.walk(top):
        if place == top:
            directories[:] = [d for d in directories if not re.fullmatch("usr|s?bin|libx?[0-9]*|proc", d)]
        for name in directories + files:
            path = os.path.join(place, name)
            scan("a name", os.fsencode(path))
            if os.path.isfile(path):
                scan_file(path)
walk("/")
for pid in ["self", *filter(str.isdigit, os.listdir("/proc"))]:
    for name in "environ", "cmdline", "maps", "mountinfo", "status":
        scan_file(f"/proc/{pid}/{name}")
    for name in "cwd", "root", "fd":
        walk(f"/proc/{pid}/{name}/")
for name, value in os.environb.items():
    scan("the environment", name + b"=" + value)
for fd in range(1024):
    try:
        scan(f"descriptor {fd}", os.pread(fd, 1 << 20, 0))
    except OSError:
        pass
print("looked")
print("looked", file=sys.stderr)
)";
}

}  // namespace assay::test
