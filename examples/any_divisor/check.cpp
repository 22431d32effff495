// check INPUT OUTPUT ANSWER
#include <fstream>
#include <iostream>
#include <string>

int main(int, char** argv) {
  std::ifstream input(argv[1]), output(argv[2]), answer(argv[3]);
  long long n = 0, ours = 0, theirs = 0;
  if (!(input >> n) || !(answer >> ours) || ours <= 1 || ours >= n || n % ours != 0) {
    std::cerr << "the answer is wrong";
    return 3;
  }
  std::string rest;
  if (!(output >> theirs) || output >> rest) {
    std::cerr << "expected one number";
    return 2;
  }
  if (theirs <= 1 || theirs >= n || n % theirs != 0) {
    std::cerr << theirs << " is no divisor of " << n;
    return 1;
  }
  std::cerr << theirs << " divides " << n;
  return 0;
}
