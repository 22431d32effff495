// The other half of leave_sysv_ipc: everything it could have left, by name.
#include "attempt.h"
#include <fcntl.h>
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
int main() {
  struct shminfo info;
  ATTEMPT("shmget", shmget(0x5e5, 0, 0));
  ATTEMPT("semget", semget(0x5e5, 0, 0));
  ATTEMPT("msgget", msgget(0x5e5, 0));
  ATTEMPT("mq_open", mq_open("/left", O_RDONLY));
  ATTEMPT("/tmp/left", open("/tmp/left", O_RDONLY));
  ATTEMPT("/dev/shm/left", open("/dev/shm/left", O_RDONLY));
  ATTEMPT("/w/left", open("/w/left", O_RDONLY));
  int fresh = shmget(IPC_PRIVATE, 4096, 0600);
  dprintf(1, "next shm id: %d\n", fresh);  // a counter that went on would tell how many there were
}
