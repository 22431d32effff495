class Garbage {
  static byte[] last;
  static void Main() {
    for (int n = 0; n < 2000; ++n) {
      last = new byte[1 << 20];
      for (int i = 0; i < last.Length; i += 4096) last[i] = 1;
    }
  }
}
