#include <iostream>

int main() {
  long long low = 1, high = 0;
  std::cin >> high;
  char answer = 0;
  while (answer != '=') {
    const long long guess = (low + high) / 2;
    std::cout << guess << std::endl;
    if (!(std::cin >> answer)) return 1;
    (answer == '<' ? high : low) = answer == '<' ? guess - 1 : guess + 1;
  }
}
