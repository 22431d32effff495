// One line per attempt on stdout: its name, then "done" or the error. Unbuffered, so that a fork or
// a kill loses nothing.
#pragma once
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline long attempt(const char* name, long result) {
  if (result < 0)
    dprintf(1, "%s: %s\n", name, strerrorname_np(errno) ? strerrorname_np(errno) : "?");
  else
    dprintf(1, "%s: done\n", name);
  return result;
}
#define ATTEMPT(name, call) (errno = 0, attempt(name, (long)(call)))
