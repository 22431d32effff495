int main() { return x }
