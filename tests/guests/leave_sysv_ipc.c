// Leaves shared memory, a semaphore and a message behind under a known key, and a file in every writable place.
#include "attempt.h"
#include <fcntl.h>
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
int main() {
  int shm = ATTEMPT("shmget", shmget(0x5e5, 8 << 20, IPC_CREAT | 0666));
  if (shm >= 0) memset(shmat(shm, 0, 0), 'L', 8 << 20);
  ATTEMPT("semget", semget(0x5e5, 1, IPC_CREAT | 0666));
  struct { long type; char text[8]; } message = {1, "left"};
  int queue = ATTEMPT("msgget", msgget(0x5e5, IPC_CREAT | 0666));
  if (queue >= 0) msgsnd(queue, &message, sizeof message.text, 0);
  ATTEMPT("mq_open", mq_open("/left", O_CREAT | O_RDWR, 0666, 0));
  ATTEMPT("/tmp/left", open("/tmp/left", O_CREAT | O_WRONLY, 0666));
  ATTEMPT("/dev/shm/left", open("/dev/shm/left", O_CREAT | O_WRONLY, 0666));
  ATTEMPT("/w/left", open("/w/left", O_CREAT | O_WRONLY, 0666));
}
