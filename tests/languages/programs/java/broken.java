public class Broken {
  public static void main(String[] arguments) { int x = "text"; }
}
