import sys

if sys.argv[1] == "0":
    print("".join(format(ord(c), "08b") for c in input()))
else:
    digits = input()
    print("".join(chr(int(digits[i:i + 8], 2)) for i in range(0, len(digits), 8)))
