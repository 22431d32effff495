#include <iostream>
int main() {
  long low = 1, high;
  std::cin >> high;
  while (low < high) {
    const long middle = (low + high) / 2;
    std::cout << "? " << middle << std::endl;
    char answer;
    std::cin >> answer;
    if (answer == '=') low = high = middle;
    if (answer == '<') high = middle - 1;
    if (answer == '>') low = middle + 1;
  }
  std::cout << "! " << low << std::endl;
}
