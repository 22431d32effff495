# Right, but does not end when the number is found.
import time

low, high = 1, int(input())
while True:
    guess = (low + high) // 2
    print(guess, flush=True)
    answer = input()
    if answer == "=":
        time.sleep(3600)
    low, high = (low, guess - 1) if answer == "<" else (guess + 1, high)
