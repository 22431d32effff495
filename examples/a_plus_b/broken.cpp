int main() {
  return a + b;
}
