int main() { return *(volatile int*)8; }
