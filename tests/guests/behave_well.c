// An honest program that uses all it may: what it prints must not depend on who ran in the box before.
#include "attempt.h"
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
extern char** environ;
static void* nothing(void* unused) { return unused; }
static int by_name(const struct dirent** a, const struct dirent** b) { return strcmp((*a)->d_name, (*b)->d_name); }
static void list(const char* place) {
  struct dirent** names;
  struct stat found = {0};
  struct statvfs space = {0};
  int count = scandir(place, &names, 0, by_name);
  stat(place, &found);
  statvfs(place, &space);
  dprintf(1, "%s mode %o owner %d blocks %ld of %ld inodes %ld:", place, found.st_mode, found.st_uid, (long)space.f_bfree, (long)space.f_blocks, (long)space.f_ffree);
  for (int i = 0; i < count; ++i) dprintf(1, " %s", names[i]->d_name);
  dprintf(1, "\n");
}
static void keep(const char* name) {
  int file = ATTEMPT(name, open(name, O_CREAT | O_EXCL | O_RDWR, 0644));
  (void)!write(file, "kept", 4);
}
int main() {
  char text[64] = {0}, host[64] = {0};
  list("/w"), list("/tmp"), list("/dev/shm"), list("/");
  int input = ATTEMPT("input", open("input", O_RDONLY));
  (void)!read(input, text, sizeof text - 1);
  keep("/w/output"), keep("/tmp/mine"), keep("/dev/shm/mine");
  gethostname(host, sizeof host);
  dprintf(1, "input %s pid %d parent %d session %d host %s umask %o nice %d\n", text, getpid(), getppid(), getsid(0), host, umask(022), getpriority(0, 0));
  for (int i = 0; environ[i]; ++i) dprintf(1, "%s\n", environ[i]);
  for (int resource = 0; resource < RLIM_NLIMITS; ++resource) {
    struct rlimit limit;
    getrlimit(resource, &limit);
    dprintf(1, "limit %d %lld %lld\n", resource, (long long)limit.rlim_cur, (long long)limit.rlim_max);
  }
  for (int number = 1; number < 65; ++number) {
    struct sigaction action;
    if (sigaction(number, 0, &action) == 0 && action.sa_handler != SIG_DFL) dprintf(1, "signal %d\n", number);
  }
  int segment = ATTEMPT("shmget", shmget(0x5e5, 4096, IPC_CREAT | IPC_EXCL | 0600));
  dprintf(1, "segment %d\n", segment);
  pthread_t thread;
  int refused = pthread_create(&thread, 0, nothing, 0);
  dprintf(1, "thread %d\n", refused);
  if (!refused) pthread_join(thread, 0);
  int status = 0;
  if (fork() == 0) _exit(7);
  wait(&status);
  dprintf(1, "child %d\n", WEXITSTATUS(status));
  char* memory = malloc(20 << 20);
  if (memory) memset(memory, 1, 20 << 20);
  dprintf(1, "memory %s\n", memory ? "touched" : "refused");
  for (int fd = 0; fd < 1024; ++fd)
    if (fcntl(fd, F_GETFD) >= 0) dprintf(1, "fd %d\n", fd);
}
