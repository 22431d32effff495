public class Garbage {
  static byte[] last;

  public static void main(String[] arguments) {
    for (int i = 0; i < 2000; ++i) last = new byte[1 << 20];
  }
}
