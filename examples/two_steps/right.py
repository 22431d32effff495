import sys

if sys.argv[1] == "0":
    print("".join(format(ord(c) - ord("a"), "05b") for c in input()))
else:
    digits = input()
    print("".join(chr(ord("a") + int(digits[i:i + 5], 2)) for i in range(0, len(digits), 5)))
