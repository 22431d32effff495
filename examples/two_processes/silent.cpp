#include <iostream>

// Both want to hear first.
int main() {
  long long mine = 0, other = 0;
  std::cin >> mine >> other;
  std::cout << "tell " << mine << std::endl << "sum " << mine + other << std::endl;
}
