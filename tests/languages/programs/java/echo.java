import java.io.*;

class Echo {
  public static void main(String[] arguments) throws IOException {
    System.in.transferTo(System.out);
    System.out.flush();
  }
}
