#include <cstdlib>
#include <iostream>

// Process 1 is off by one.
int main(int, char** argv) {
  long long mine = 0, other = 0;
  std::cin >> mine;
  std::cout << "tell " << mine << std::endl;
  std::cin >> other;
  std::cout << "sum " << mine + other + std::atoi(argv[1]) << std::endl;
}
