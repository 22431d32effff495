#include <iostream>
#include <string>
int main() {
  std::string task, text;
  std::cin >> task >> text;
  if (task == "write") {
    for (char c : text)
      for (int bit = 7; bit >= 0; --bit) std::cout << (c >> bit & 1 ? 'b' : 'a');
  } else {
    for (std::size_t i = 0; i + 8 <= text.size(); i += 8) {
      char c = 0;
      for (int bit = 0; bit < 8; ++bit) c = static_cast<char>(c << 1 | (text[i + bit] == 'b'));
      std::cout << c;
    }
  }
  std::cout << '\n';
}
