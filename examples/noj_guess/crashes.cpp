#include <cstdlib>
#include <iostream>
int main() {
  long most;
  std::cin >> most;
  std::cout << "? 1" << std::endl;
  std::abort();
}
