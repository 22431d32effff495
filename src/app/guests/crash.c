// Writes to address 0: SIGSEGV.
__attribute__((naked, noreturn)) void _start(void) {
  __asm__("xor %eax, %eax\n\tmovl $1, (%rax)\n\tud2");
}
