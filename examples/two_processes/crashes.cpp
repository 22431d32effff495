#include <cstdlib>
#include <iostream>

// Process 1 dies once it has told its number; process 0 waits for nothing any more.
int main(int, char** argv) {
  long long mine = 0, other = 0;
  std::cin >> mine;
  std::cout << "tell " << mine << std::endl;
  if (std::atoi(argv[1]) == 1) std::abort();
  std::cin >> other;
  std::cout << "sum " << mine + other << std::endl;
}
