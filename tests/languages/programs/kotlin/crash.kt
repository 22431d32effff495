fun main() { throw IllegalStateException("on purpose") }
