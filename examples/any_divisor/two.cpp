// Wrong for odd numbers.
#include <cstdio>

int main() {
  std::puts("2");
}
