package greetings.deep;

// public class NotThisOne {}
public class Greeter {
  public static void main(String[] arguments) {
    System.out.println("Hello, World!");
  }
}
