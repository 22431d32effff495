// Wrong: needs too many guesses.
#include <iostream>

int main() {
  long long n = 0;
  std::cin >> n;
  char answer = 0;
  for (long long guess = 1; answer != '=' && guess <= n; ++guess) {
    std::cout << guess << std::endl;
    if (!(std::cin >> answer)) return 0;
  }
}
