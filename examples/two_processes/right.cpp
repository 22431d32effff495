#include <iostream>

int main() {
  long long mine = 0, other = 0;
  std::cin >> mine;
  std::cout << "tell " << mine << std::endl;
  std::cin >> other;
  std::cout << "sum " << mine + other << std::endl;
}
