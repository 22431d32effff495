#include <cstdio>

// A whole program where a function is wanted.
int main() {
  std::puts("7");
}
