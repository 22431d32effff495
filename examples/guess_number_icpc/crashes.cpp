#include <cstdlib>
#include <iostream>

int main() {
  long long n = 0;
  std::cin >> n;
  std::cout << n << std::endl;
  std::abort();
}
