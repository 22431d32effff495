#include <fstream>

int main() {
  std::ifstream in("sum.in");
  std::ofstream out("sum.out");
  long long sum = 0;
  for (long long x; in >> x;)
    sum += x;
  out << sum << "\n";
}
