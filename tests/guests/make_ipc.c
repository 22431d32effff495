// make_ipc shm|sem|msg [forever]: makes an object and removes it, and prints its number: the counters of a namespace that somebody
// had before would show. Forever: as often as it can.
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
static int make(const char* kind) {
  int id = -1;
  if (!strcmp(kind, "shm") && (id = shmget(IPC_PRIVATE, 4096, 0600)) >= 0) shmctl(id, IPC_RMID, 0);
  if (!strcmp(kind, "sem") && (id = semget(IPC_PRIVATE, 1, 0600)) >= 0) semctl(id, 0, IPC_RMID);
  if (!strcmp(kind, "msg") && (id = msgget(IPC_PRIVATE, 0600)) >= 0) msgctl(id, IPC_RMID, 0);
  return id;
}
int main(int argc, char** argv) {
  int id = make(argv[1]);
  printf("%d\n", id);
  while (argc > 2) make(argv[1]);
  return id < 0;
}
