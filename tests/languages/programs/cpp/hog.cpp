#include <cstddef>
#include <list>
#include <vector>
int main() {
  for (std::list<std::vector<char>> all;;) all.emplace_back(std::size_t(1) << 20, 'x');
}
