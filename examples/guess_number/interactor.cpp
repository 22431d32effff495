// interactor INPUT OUTPUT ANSWER. The input: n, the number, and how many guesses are allowed.
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <string>

enum Outcome { Right = 0, Wrong = 1, Malformed = 2, JudgesFault = 3 };

[[noreturn]] void quit(Outcome outcome, const std::string& why) {
  std::cerr << why << std::endl;
  std::exit(outcome);
}

// One word, and never more than a word of it: the other side may write without end.
long long read_guess() {
  std::string word;
  if (!(std::cin >> std::setw(20) >> word)) quit(Wrong, "wrong answer no further guess");
  char* end = nullptr;
  const long long guess = std::strtoll(word.c_str(), &end, 10);
  if (*end != '\0') quit(Malformed, "wrong output format a guess must be a number");
  return guess;
}

int main(int argc, char** argv) {
  long long n = 0, number = 0, allowed = 0;
  if (argc < 4 || !(std::ifstream(argv[1]) >> n >> number >> allowed))
    quit(JudgesFault, "FAIL cannot read the input");
  std::cout << n << std::endl;
  for (long long used = 1; used <= allowed; ++used) {
    const long long guess = read_guess();
    if (guess < 1 || guess > n) quit(Wrong, "wrong answer " + std::to_string(guess) + " is out of range");
    std::cout << (number < guess ? '<' : number > guess ? '>' : '=') << std::endl;
    if (guess != number) continue;
    std::ofstream(argv[2]) << guess << '\n';
    quit(Right, "ok found with " + std::to_string(used) + " guesses");
  }
  quit(Wrong, "wrong answer not found with " + std::to_string(allowed) + " guesses");
}
