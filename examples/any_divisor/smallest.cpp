#include <iostream>

int main() {
  long long n, d = 2;
  std::cin >> n;
  while (n % d != 0)
    ++d;
  std::cout << d << "\n";
}
