import java.util.*;

public class Hog {
  public static void main(String[] arguments) {
    for (List<byte[]> all = new ArrayList<>();;) all.add(new byte[1 << 20]);
  }
}
