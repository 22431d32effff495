// share_inode hold FILE MILLISECONDS: locks and watches a file that other boxes see too, and tells what it notices.
// share_inode look FILE: opens it and tells whether somebody holds it.
#include "attempt.h"
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/inotify.h>
int main(int argc, char** argv) {
  int file = open(argv[2], O_RDONLY);
  if (argv[1][0] == 'l') {
    int locked = flock(file, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK;
    struct flock other = {F_WRLCK, SEEK_SET};
    int held = fcntl(file, F_GETLK, &other) == 0 && other.l_type != F_UNLCK;
    dprintf(1, "flock %s, record lock %s\n", locked ? "held" : "free", held ? "held" : "free");
    return 0;
  }
  struct flock record = {F_RDLCK, SEEK_SET};
  flock(file, LOCK_EX);
  fcntl(file, F_SETLK, &record);
  int watch = inotify_init();
  inotify_add_watch(watch, argv[2], IN_OPEN);
  dprintf(2, "r");
  struct pollfd events = {watch, POLLIN};
  dprintf(1, "%s\n", watch >= 0 && poll(&events, 1, atoi(argv[3])) > 0 ? "noticed" : "nothing");
}
