// CHECK: the third kind of failure. A condition that only a bug of ours can break aborts the
// process.
#pragma once

#include <cstdio>
#include <cstdlib>

#define CHECK(condition)                                                                      \
  do {                                                                                        \
    if (!(condition)) [[unlikely]] {                                                          \
      std::fprintf(stderr, "%s:%d: bug: CHECK(%s) failed\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                           \
    }                                                                                         \
  } while (false)
