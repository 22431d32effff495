int main() {
  for (volatile unsigned n = 0;; ++n) {
  }
}
