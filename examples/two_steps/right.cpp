#include <iostream>
#include <string>

int main(int, char** argv) {
  std::string text;
  std::cin >> text;
  if (argv[1][0] == '0') {
    for (const char c : text)
      for (int bit = 4; bit >= 0; --bit)
        std::cout << ((c - 'a') >> bit & 1);
  } else {
    for (std::size_t i = 0; i + 5 <= text.size(); i += 5)
      std::cout << static_cast<char>('a' + std::stoi(text.substr(i, 5), nullptr, 2));
  }
  std::cout << "\n";
}
