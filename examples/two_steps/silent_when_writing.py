import sys

if sys.argv[1] == "1":
    print(sys.stdin.read())
