using System;
using System.Collections.Generic;
class Keep {
  static void Main() {
    var all = new List<byte[]>();
    for (int n = 0; n < 32; ++n) {
      var block = new byte[1 << 20];
      for (int i = 0; i < block.Length; i += 4096) block[i] = 1;
      all.Add(block);
    }
    Console.WriteLine(all.Count);
  }
}
