// The least that a program can do: exit_group(0).
__attribute__((naked, noreturn)) void _start(void) {
  __asm__("mov $231, %eax\n\txor %edi, %edi\n\tsyscall\n\tud2");
}
