using System.Collections.Generic;
class Hog {
  static void Main() {
    var all = new List<byte[]>();
    for (;;) {
      var block = new byte[1 << 20];
      for (int i = 0; i < block.Length; i += 4096) block[i] = 1;
      all.Add(block);
    }
  }
}
