// Every device file there is, and some that it makes.
#include "attempt.h"
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
static int by_name(const struct dirent** a, const struct dirent** b) { return strcmp((*a)->d_name, (*b)->d_name); }
int main() {
  struct dirent** names;
  int count = scandir("/dev", &names, 0, by_name);
  dprintf(1, "dev:");
  for (int i = 0; i < count; ++i)
    if (names[i]->d_name[0] != '.') dprintf(1, " %s", names[i]->d_name);
  dprintf(1, "\n");
  const char* wanted[] = {"/dev/vda", "/dev/sda", "/dev/kmsg", "/dev/mem", "/dev/kvm", "/dev/fuse", "/dev/net/tun", "/dev/loop-control"};
  for (int i = 0; i < 8; ++i) ATTEMPT(wanted[i], open(wanted[i], O_RDWR));
  ATTEMPT("mknod block", mknod("/tmp/block", S_IFBLK | 0666, 254 << 8));
  ATTEMPT("mknod char", mknod("/tmp/char", S_IFCHR | 0666, 1 << 8 | 11));
  ATTEMPT("create in /dev", open("/dev/new", O_CREAT | O_WRONLY, 0666));
  ATTEMPT("replace null", unlink("/dev/null"));
  ATTEMPT("chmod null", chmod("/dev/null", 0));
  struct stat found;
  dprintf(1, "null is %s\n", stat("/dev/null", &found) == 0 && S_ISCHR(found.st_mode) ? "a device" : "something else");
}
