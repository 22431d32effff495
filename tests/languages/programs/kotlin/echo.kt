fun main() { print(System.`in`.bufferedReader().readText()) }
