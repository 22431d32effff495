// validate INPUT ANSWER FEEDBACK_DIRECTORY. The input: n, the number, and how many guesses are allowed.
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <string>

std::string feedback;

[[noreturn]] void judge(bool right, const std::string& why) {
  std::ofstream(feedback + "/judgemessage.txt") << why << '\n';
  std::exit(right ? 42 : 43);
}

int main(int argc, char** argv) {
  long long n = 0, number = 0, allowed = 0;
  if (argc < 4 || !(std::ifstream(argv[1]) >> n >> number >> allowed)) return 1;
  feedback = argv[3];
  std::cout << n << std::endl;
  for (long long used = 1; used <= allowed; ++used) {
    std::string word;
    if (!(std::cin >> std::setw(20) >> word)) judge(false, "no further guess");
    char* end = nullptr;
    const long long guess = std::strtoll(word.c_str(), &end, 10);
    if (*end != '\0' || guess < 1 || guess > n) judge(false, "a guess must be a number from 1 to n");
    std::cout << (number < guess ? '<' : number > guess ? '>' : '=') << std::endl;
    if (guess == number) judge(true, "found with " + std::to_string(used) + " guesses");
  }
  judge(false, "not found with " + std::to_string(allowed) + " guesses");
}
