// Every regular file below the work directory: size, mode, name, NUL.
#include <ftw.h>
#include <stdio.h>
static int show(const char* path, const struct stat* found, int kind, struct FTW* where) {
  if (kind == FTW_F) printf("%ld %o %s%c", (long)found->st_size, found->st_mode & 07777, path + 2, 0);
  return 0;
}
int main() { return nftw(".", show, 16, FTW_PHYS); }
