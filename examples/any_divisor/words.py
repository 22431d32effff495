print("a divisor")
