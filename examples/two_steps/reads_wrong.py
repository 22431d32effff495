import sys

if sys.argv[1] == "0":
    print("".join(format(ord(c) - ord("a"), "05b") for c in input()))
else:
    print("a" * (len(input()) // 5))
