import java.util.*;

public class Keep {
  public static void main(String[] arguments) {
    List<byte[]> all = new ArrayList<>();
    for (int i = 0; i < 32; ++i) all.add(new byte[1 << 20]);
    System.out.println(all.size());
  }
}
