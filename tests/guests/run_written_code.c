// run_written_code WAY PLACE: executes bytes that it wrote itself, in one way, and says "WAY PLACE: done" when they ran. Nothing is
// forked: what a strict filter ends is the way itself.
#include "attempt.h"
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
static const unsigned char code[] = {0xb8, 42, 0, 0, 0, 0xc3};  // return 42
static char what[128], script[256];
static void call(void* memory) {
  if (memory == MAP_FAILED) attempt(what, -1);
  else dprintf(1, "%s: %s\n", what, ((int (*)(void))memory)() == 42 ? "done" : "other");
}
static const char* file_with(const char* place, const void* bytes, size_t size) {
  static char name[64];
  snprintf(name, sizeof name, "%s/written", place);
  int file = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0755);
  (void)!write(file, bytes, size);
  close(file);
  return name;
}
static void in_own_memory(void) {
  char* page = mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int memory = open("/proc/self/mem", O_RDWR);
  if (memory < 0 || pwrite(memory, code, sizeof code, (intptr_t)page) < 0) attempt(what, -1);
  else call(page);
}
static void with_loader(const char* place) {
  static char program[1 << 20];
  size_t size = read(open("/usr/bin/echo", O_RDONLY), program, sizeof program);
  const char* name = file_with(place, program, size);
  strcat(what, ": done");
  execl("/lib64/ld-linux-x86-64.so.2", "ld.so", name, what, NULL);
}
int main(int argc, char** argv) {
  const char *way = argv[1], *place = argv[2];
  char* words[] = {"written", 0};
  snprintf(what, sizeof what, "%s %s", way, place);
  size_t length = snprintf(script, sizeof script, "#!/bin/sh\necho %s: done\n", what);
  if (!strcmp(way, "protect")) {
    void* page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(page, code, sizeof code);
    call(mprotect(page, 4096, PROT_READ | PROT_EXEC) ? MAP_FAILED : page);
  }
  if (!strcmp(way, "map")) call(mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, open(file_with(place, code, sizeof code), O_RDONLY), 0));
  if (!strcmp(way, "own")) in_own_memory();
  if (!strcmp(way, "run")) ATTEMPT(what, execl(file_with(place, script, length), "written", NULL));
  if (!strcmp(way, "at")) ATTEMPT(what, syscall(SYS_execveat, open(file_with(place, script, length), O_RDONLY), "", words, words + 1, AT_EMPTY_PATH));
  if (!strcmp(way, "load")) with_loader(place);
  if (!strcmp(way, "memfd")) {
    int memory = syscall(SYS_memfd_create, "written", 0);
    if (memory < 0) return attempt(what, -1) != 0;
    (void)!write(memory, script, length);
    ATTEMPT(what, syscall(SYS_execveat, memory, "", words, words + 1, AT_EMPTY_PATH));
  }
}
